import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Не удалось загрузить страницу',
  chunkHint: 'Сеть медленная или недоступна, либо вышла новая версия.',
  brokenTitle: 'Что-то пошло не так',
  brokenHint: 'Обновите страницу. Если ошибка повторится, расскажите дилеру, что вы делали.',
  reload: 'Обновить',
  notFoundTitle: 'Здесь ничего нет',
  notFoundHint: 'Адрес неверен, или страницы больше нет.',
  toHome: 'На главную',
};
