import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: '通知',
  offline: 'オフラインのデバイス',
  offlineMinutes: '経過時間（分）',
  expiring: '期限切れが近いデバイス',
  expiringDays: '残り日数（日）',
  watched: 'デバイス',
  watchAll: 'すべてのデバイス',
  groupDeleted: '削除されたグループ',
  groupDeletedHint:
    'グループは、所有するアカウントとともに削除されました。ほかのデバイスを選択するまで、通知は送信されません。',
  email: 'メール',
  emailHint: '空欄にするとメールは届きません',
  unconfirmed: '{{email}} に送信したコードを入力してください。確認後に通知が届くようになります。',
  confirmTitle: 'メールアドレスの確認',
  code: 'コード',
  confirmed: 'メールアドレスを確認しました',
  resend: '新しいコードを送信',
  resent: 'コードを送信しました',
  noMail: 'メールサーバーが設定されていません。管理者に設定を依頼してください。',
  webhook: 'Webhook',
  webhookHint: '通知は署名付きの JSON でこの URL に送信されます。保存すると署名キーがここに表示されます。',
  secret: '署名キー',
  deliveryFailed: '前回の通知を配信できませんでした：{{reason}}',
  test: 'テスト通知を送信',
  tested: 'テスト通知を送信しました',
};
