import type { home as en } from '../en/home.ts';
import type { Texts } from '../texts.ts';

export const home: Texts<typeof en> = {
  users: 'ユーザー',
  devices: 'デバイス',
  ads: '広告',
  resources: '素材',
  newThisWeek: '今週 +{{n}}',
  disabled: '利用停止 {{n}}',
  online: 'オンライン {{n}}',
  released: '配信中 {{n}}',
  videosImages: '動画 {{videos}}、画像 {{images}}',
  expiringTitle_other: '{{count}} 台のデバイスがまもなく期限切れになります',
  expiringHint: '引き続き利用するには、販売店 {{merchant}} にご連絡ください。',
  expiringHintNoMerchant: '再生が止まる前に期限を延長してください。',
  callMerchant: '{{phone}} に電話',
  expiresOn: '{{date}} まで',
  showAllExpiring: 'すべて表示',
  onlineChart: 'オンライン台数（過去 24 時間）',
  playsChart: '再生回数（過去 14 日間）',
  onlineNow: '現在 {{n}} 台',
  playsSum: '合計 {{n}} 回',
  leading: '管理ユーザー',
  member: 'メンバー',
  changePassword: 'パスワードを変更',
  logout: 'ログアウト',
  apps: 'デバイスソフト',
};
