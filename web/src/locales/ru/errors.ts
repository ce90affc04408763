import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Не удалось загрузить страницу',
  chunkHint: 'Связь медленная или прервана, либо доступна новая версия.',
  brokenTitle: 'Что-то пошло не так',
  brokenHint: 'Обновите страницу. Если ошибка повторится, расскажите дилеру, что вы делали.',
  reload: 'Обновить',
  unreachable: 'Сервер не ответил. Проверьте соединение и повторите попытку.',
  notFoundTitle: 'Страница не найдена',
  notFoundHint: 'Возможно, ссылка неверна или страница удалена.',
  toHome: 'На главную',
};
