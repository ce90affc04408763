import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Alertes',
  offline: 'Appareils hors ligne',
  offlineMinutes: 'Plus de (minutes)',
  expiring: 'Appareils bientôt expirés',
  expiringDays: 'D’ici (jours)',
  watched: 'Appareils',
  watchAll: 'Tous les appareils',
  groupDeleted: 'Groupe supprimé',
  groupDeletedHint:
    'Le groupe a été supprimé avec le compte auquel il appartenait. Aucune alerte n’est envoyée tant que vous n’avez pas choisi d’autres appareils.',
  email: 'E-mail',
  emailHint: 'Laissez vide pour désactiver les e-mails',
  unconfirmed: 'Saisissez le code envoyé à {{email}}. Les alertes y arriveront une fois l’adresse confirmée.',
  confirmTitle: 'Confirmer l’adresse e-mail',
  code: 'Code',
  confirmed: 'Adresse e-mail confirmée',
  resend: 'Envoyer un nouveau code',
  resent: 'Code envoyé',
  noMail: 'Aucun serveur de messagerie n’est configuré. Demandez à votre administrateur d’en configurer un.',
  webhook: 'Webhook',
  webhookHint:
    'Les alertes sont envoyées à cette URL en JSON signé. La clé de signature s’affiche ici après l’enregistrement.',
  secret: 'Clé de signature',
  deliveryFailed: 'La dernière alerte n’a pas pu être envoyée\u00a0: {{reason}}',
  test: 'Envoyer une alerte de test',
  tested: 'Alerte de test envoyée',
};
