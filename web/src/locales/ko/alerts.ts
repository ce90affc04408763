import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: '알림',
  offline: '오프라인 기기',
  offlineMinutes: '경과 시간(분)',
  expiring: '곧 만료되는 기기',
  expiringDays: '남은 기간(일)',
  watched: '기기',
  watchAll: '모든 기기',
  groupDeleted: '삭제된 그룹',
  groupDeletedHint:
    '그룹을 소유한 계정과 함께 그룹이 삭제되었습니다. 다른 기기를 선택할 때까지 알림이 전송되지 않습니다.',
  email: '이메일',
  emailHint: '비워 두면 이메일을 보내지 않습니다',
  unconfirmed: '{{email}}(으)로 보낸 코드를 입력하세요. 주소를 확인한 뒤부터 알림이 전송됩니다.',
  confirmTitle: '이메일 주소 확인',
  code: '코드',
  confirmed: '이메일 주소를 확인했습니다',
  resend: '새 코드 보내기',
  resent: '코드를 보냈습니다',
  noMail: '메일 서버가 설정되지 않았습니다. 관리자에게 설정을 요청하세요.',
  webhook: '웹훅',
  webhookHint: '알림은 서명된 JSON으로 이 URL에 전송됩니다. 저장하면 서명 키가 여기에 표시됩니다.',
  secret: '서명 키',
  deliveryFailed: '마지막 알림을 전달하지 못했습니다: {{reason}}',
  test: '테스트 알림 보내기',
  tested: '테스트 알림을 보냈습니다',
};
