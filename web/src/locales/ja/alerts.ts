import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: '通知',
  hint: '端末に対応が必要なときに知らせます。台数に関わらず1通です。',
  offline: '端末がオフラインのとき',
  offlineMinutes: '経過時間（分）',
  expiring: '端末の期限切れが近いとき',
  expiringDays: '残り日数（日）',
  email: 'メール',
  emailHint: '不要なら空のままに',
  unconfirmed: '{{email}} に送信したコードを入力してください。確認後に通知が届くようになります。',
  confirmTitle: 'メールアドレスの確認',
  code: 'コード',
  confirmed: 'メールアドレスを確認しました',
  resend: '新しいコードを送信',
  resent: 'コードを送信しました',
  noMail: 'メールサーバーが未設定です。管理者が設定できます。',
  webhook: 'Webhook',
  webhookHint: '通知をJSONで受け取るアドレス。保存するとここに表示されるキーで署名されます',
  secret: '署名の検証キー',
  deliveryFailed: '前回のメッセージは届きませんでした：{{reason}}',
  test: 'テスト送信',
  tested: 'テストを送信しました',
};
