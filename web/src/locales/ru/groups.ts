import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Все эти метки',
  anyTag: 'Хотя бы одна из этих меток',
  noTag: 'Ни одной из этих меток',
  filterTags: 'Фильтр по меткам',
  removeTag: 'Убрать метку {{tag}}',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}} или ещё не сообщена',
  ad: 'Опубликованная реклама',
  releasedAd: 'Опубликованная реклама, без кампаний',
  gone: 'удалено',
  change: 'Изменить фильтры',
  changing: 'Вы меняете фильтры группы {{name}}. Постоянные публикации последуют за ней сразу после сохранения.',
  everything: 'Без фильтров: все устройства {{username}} и пользователей ниже',
};
