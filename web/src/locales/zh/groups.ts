import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: '全部这些标签',
  anyTag: '至少一个这些标签',
  noTag: '不含这些标签',
  filterTags: '按标签筛选',
  removeTag: '移除标签 {{tag}}',
  conditionIs: '{{name}}：{{value}}',
  fits: '{{orientation}}，或尚未上报',
  ad: '已发布的广告',
  releasedAd: '已发布的广告（不含投放）',
  gone: '已删除',
  change: '更改筛选条件',
  changing: '您正在更改分组 {{name}} 的筛选条件。保存后，持续发布会随之调整。',
  everything: '没有筛选条件：{{username}} 及其下级用户的所有设备',
};
