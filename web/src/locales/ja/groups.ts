import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'これらすべてのタグ',
  anyTag: 'これらのタグの少なくとも 1 つ',
  noTag: 'これらのタグなし',
  filterTags: 'タグで絞り込み',
  removeTag: 'タグ「{{tag}}」を削除',
  conditionIs: '{{name}}：{{value}}',
  fits: '{{orientation}}、または未報告',
  ad: '配信中の広告',
  releasedAd: '配信中の広告（キャンペーンを除く）',
  gone: '削除済み',
  change: 'フィルターを変更',
  changing: 'グループ {{name}} のフィルターを変更しています。保存すると、継続配信もそれに従います。',
  everything: 'フィルターなし：{{username}} とその下位ユーザーのすべてのデバイス',
};
