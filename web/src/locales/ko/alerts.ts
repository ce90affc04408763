import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: '알림',
  hint: '기기에 조치가 필요할 때 알려 드립니다. 몇 대든 메시지는 하나입니다.',
  offline: '기기가 오프라인일 때',
  offlineMinutes: '경과 시간(분)',
  expiring: '기기가 곧 만료될 때',
  expiringDays: '남은 기간(일)',
  email: '이메일',
  emailHint: '원하지 않으면 비워 두세요',
  unconfirmed: '{{email}}(으)로 보낸 코드를 입력하세요. 주소를 확인한 뒤부터 알림이 전송됩니다.',
  confirmTitle: '이메일 주소 확인',
  code: '코드',
  confirmed: '이메일 주소를 확인했습니다',
  resend: '새 코드 보내기',
  resent: '코드를 보냈습니다',
  noMail: '아직 메일 서버가 설정되지 않았습니다. 관리자가 설정할 수 있습니다.',
  webhook: '웹훅',
  webhookHint: '알림을 JSON으로 받을 주소. 저장하면 여기에 표시되는 키로 서명됩니다',
  secret: '서명 확인 키',
  deliveryFailed: '마지막 메시지가 도착하지 않았습니다: {{reason}}',
  test: '시험 전송',
  tested: '시험 메시지를 보냈습니다',
};
