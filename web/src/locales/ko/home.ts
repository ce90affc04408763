import type { home as en } from '../en/home.ts';
import type { Texts } from '../texts.ts';

export const home: Texts<typeof en> = {
  users: '사용자',
  devices: '기기',
  ads: '광고',
  resources: '자료',
  newThisWeek: '이번 주 +{{n}}',
  disabled: '정지 {{n}}',
  online: '온라인 {{n}}',
  released: '게시 {{n}}',
  videosImages: '동영상 {{videos}}, 이미지 {{images}}',
  expiringTitle_other: '기기 {{count}}대가 곧 만료됩니다',
  expiringHint: '계속 사용하려면 판매자 {{merchant}}에게 문의해 주세요.',
  expiringHintNoMerchant: '재생이 멈추기 전에 기간을 연장해 주세요.',
  callMerchant: '{{phone}} 전화 걸기',
  expiresOn: '{{date}}까지',
  showAllExpiring: '모두 보기',
  onlineChart: '온라인 기기, 최근 24시간',
  playsChart: '재생 횟수, 최근 14일',
  onlineNow: '현재 {{n}}대',
  playsSum: '총 {{n}}회',
  leading: '관리 사용자',
  member: '일반 사용자',
  changePassword: '비밀번호 변경',
  logout: '로그아웃',
  apps: '기기 소프트웨어',
};
