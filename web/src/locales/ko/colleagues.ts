import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: '동료',
  hint: '동료는 자신의 사용자 이름으로 로그인하여 이 계정을 대신해 작업합니다. 활동 기록에 이름이 남습니다.',
  empty: '아직 동료가 없습니다',
  invite: '동료 초대',
  name: '이름',
  operator: '운영자',
  readOnly: '읽기 전용',
  operatorHint: '동료 관리를 제외한 모든 작업을 할 수 있습니다.',
  readOnlyHint: '모두 볼 수 있지만 변경할 수 없습니다.',
  invitedUntil: '초대됨 · 링크 유효 기한 {{date}}',
  shareText: '이 링크로 계정에 참여하세요:',
  disabledAbove: '상위 관리자가 이용 정지함',
  rename: '이름 변경',
  makeOperator: '운영자로 변경',
  makeReadOnly: '읽기 전용으로 변경',
  disableTitle: '{{name}} 님의 이용을 정지할까요?',
  disableBody: '이 동료의 모든 세션이 즉시 종료됩니다. 이미 지시한 작업은 계속됩니다.',
  deleteTitle: '{{name}} 님을 삭제할까요?',
  deleteBody: '이 동료의 모든 세션이 즉시 종료됩니다. 수행한 작업은 계정에 남습니다. 되돌릴 수 없습니다.',
  revokeTitle: '{{name}} 님의 초대를 취소할까요?',
  revokeBody: '링크를 더 이상 사용할 수 없습니다.',
};
