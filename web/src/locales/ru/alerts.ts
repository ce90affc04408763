import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Оповещения',
  hint: 'Узнавайте, когда устройствам нужны вы: одно сообщение, сколько бы их ни было.',
  offline: 'Когда устройства не в сети',
  offlineMinutes: 'Дольше (минут)',
  expiring: 'Когда срок устройств истекает',
  expiringDays: 'В ближайшие (дней)',
  email: 'Эл. почта',
  emailHint: 'Оставьте пустым, если не нужно',
  noMail: 'Почтовый сервер ещё не настроен; это может сделать администратор.',
  webhook: 'Вебхук',
  webhookHint: 'Ваш адрес, куда оповещение приходит в JSON с подписью ключом ниже',
  secret: 'Ключ для проверки подписи',
  trouble: 'Последнее сообщение не дошло: {{reason}}',
  test: 'Отправить пробное',
  tested: 'Пробное отправлено',
};
