import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Alertes',
  hint: 'Soyez prévenu quand des appareils ont besoin de vous : un seul message, quel qu’en soit le nombre.',
  offline: 'Quand des appareils sont hors ligne',
  offlineMinutes: 'Plus de (minutes)',
  expiring: 'Quand des appareils vont expirer',
  expiringDays: 'D’ici (jours)',
  email: 'E-mail',
  emailHint: 'Laissez vide pour ne rien recevoir',
  unconfirmed: 'Saisissez le code envoyé à {{email}}. Les alertes y arriveront une fois l’adresse confirmée.',
  confirmTitle: 'Confirmer l’adresse e-mail',
  code: 'Code',
  confirmed: 'Adresse e-mail confirmée',
  resend: 'Envoyer un nouveau code',
  resent: 'Code envoyé',
  noMail: 'Cette installation n’a pas encore de serveur de messagerie ; son administrateur peut en configurer un.',
  webhook: 'Webhook',
  webhookHint:
    'Une adresse à vous qui reçoit l’alerte en JSON, signée avec une clé affichée ici après l’enregistrement',
  secret: 'Clé pour vérifier la signature',
  deliveryFailed: 'Le dernier message n’est pas arrivé : {{reason}}',
  test: 'Envoyer un test',
  tested: 'Test envoyé',
};
