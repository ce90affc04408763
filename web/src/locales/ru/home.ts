import type { home as en } from '../en/home.ts';
import type { Texts } from '../texts.ts';
import type { Forms } from './forms.ts';

export const home: Texts<typeof en, Forms> = {
  users: 'Пользователи',
  devices: 'Устройства',
  ads: 'Реклама',
  resources: 'Материалы',
  newThisWeek: '+{{n}} за неделю',
  disabled: 'Заблокировано: {{n}}',
  online: 'В сети: {{n}}',
  released: 'Опубликовано: {{n}}',
  videosImages: 'Видео: {{videos}}, картинки: {{images}}',
  expiringTitle_one: 'Истекает срок: {{count}} устройство',
  expiringTitle_few: 'Истекает срок: {{count}} устройства',
  expiringTitle_many: 'Истекает срок: {{count}} устройств',
  expiringTitle_other: 'Истекает срок: {{count}} устройства',
  expiringHint: 'Чтобы продлить, свяжитесь с продавцом {{merchant}}.',
  expiringHintNoMerchant: 'Продлите срок, пока показ не прекратился.',
  callMerchant: 'Позвонить: {{phone}}',
  expiresOn: 'до {{date}}',
  showAllExpiring: 'Показать все',
  onlineChart: 'Устройства в сети за 24 часа',
  playsChart: 'Показы за 14 дней',
  onlineNow: 'Сейчас: {{n}}',
  playsSum: 'Всего: {{n}}',
  leading: 'Главный пользователь',
  member: 'Участник',
  alerts: 'Оповещения',
  changePassword: 'Сменить пароль',
  logout: 'Выйти',
  apps: 'ПО устройств',
};
