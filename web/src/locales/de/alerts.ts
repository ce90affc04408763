import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Meldungen',
  offline: 'Geräte offline',
  offlineMinutes: 'Länger als (Minuten)',
  expiring: 'Geräte vor dem Ablauf',
  expiringDays: 'Innerhalb von (Tagen)',
  watched: 'Geräte',
  watchAll: 'Alle Geräte',
  groupDeleted: 'Gelöschte Gruppe',
  groupDeletedHint:
    'Die Gruppe wurde zusammen mit dem Konto gelöscht, zu dem sie gehörte. Es werden keine Meldungen gesendet, bis Sie andere Geräte auswählen.',
  email: 'E-Mail',
  emailHint: 'Leer lassen, um E-Mails abzuschalten',
  unconfirmed:
    'Geben Sie den Code ein, der an {{email}} gesendet wurde. Meldungen gehen erst nach der Bestätigung dorthin.',
  confirmTitle: 'E-Mail-Adresse bestätigen',
  code: 'Code',
  confirmed: 'E-Mail-Adresse bestätigt',
  resend: 'Neuen Code senden',
  resent: 'Code gesendet',
  noMail: 'Es ist kein Mailserver eingerichtet. Bitten Sie Ihre Administration darum.',
  webhook: 'Webhook',
  webhookHint:
    'Meldungen werden als signiertes JSON an diese URL gesendet. Der Signaturschlüssel erscheint hier nach dem Speichern.',
  secret: 'Signaturschlüssel',
  deliveryFailed: 'Die letzte Meldung konnte nicht zugestellt werden: {{reason}}',
  test: 'Testmeldung senden',
  tested: 'Testmeldung gesendet',
};
