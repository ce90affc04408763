import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Meldungen',
  hint: 'Erfahren Sie, wenn Geräte Sie brauchen: eine Nachricht, wie viele es auch sind.',
  offline: 'Wenn Geräte offline sind',
  offlineMinutes: 'Länger als (Minuten)',
  expiring: 'Wenn Geräte bald ablaufen',
  expiringDays: 'Innerhalb von (Tagen)',
  email: 'E-Mail',
  emailHint: 'Leer lassen für keine',
  unconfirmed: 'Geben Sie den Code ein, der an {{email}} gesendet wurde. Meldungen gehen erst an bestätigte Adressen.',
  confirmTitle: 'E-Mail-Adresse bestätigen',
  code: 'Code',
  confirmed: 'E-Mail-Adresse bestätigt',
  resend: 'Neuen Code senden',
  resent: 'Code gesendet',
  noMail: 'Diese Installation hat noch keinen Mailserver; die Verwaltung kann einen einrichten.',
  webhook: 'Webhook',
  webhookHint:
    'Eine Adresse von Ihnen, die die Meldung als JSON bekommt, signiert mit einem Schlüssel, der nach dem Speichern hier steht',
  secret: 'Schlüssel zum Prüfen der Signatur',
  deliveryFailed: 'Die letzte Nachricht kam nicht an: {{reason}}',
  test: 'Test senden',
  tested: 'Test gesendet',
};
