import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: '이 태그 모두',
  anyTag: '이 태그 중 하나 이상',
  noTag: '이 태그 없음',
  filterTags: '태그로 필터',
  removeTag: '태그 {{tag}} 제거',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}} 또는 아직 보고되지 않음',
  ad: '게시된 광고',
  releasedAd: '게시된 광고(캠페인 제외)',
  gone: '삭제됨',
  change: '필터 변경',
  changing: '그룹 {{name}}의 필터를 변경하고 있습니다. 저장하면 상시 게시도 따라갑니다.',
  everything: '필터 없음: {{username}} 및 하위 사용자의 모든 기기',
};
