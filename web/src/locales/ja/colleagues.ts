import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'メンバー',
  hint: 'メンバーは自分のユーザー名でログインし、このアカウントとして操作します。操作履歴には名前が残ります。',
  empty: 'メンバーはまだいません',
  invite: 'メンバーを招待',
  name: '名前',
  operator: '操作可',
  readOnly: '閲覧のみ',
  operatorHint: 'メンバーの管理を除くすべての操作ができます。',
  readOnlyHint: 'すべて閲覧できますが、変更はできません。',
  invitedUntil: '招待済み · リンクの有効期限：{{date}}',
  shareText: 'このリンクからアカウントに参加してください：',
  disabledAbove: '上位の管理者により利用停止中',
  rename: '名前を変更',
  makeOperator: '操作可にする',
  makeReadOnly: '閲覧のみにする',
  disableTitle: '{{name}} を利用停止にしますか？',
  disableBody: 'このメンバーのセッションは直ちに終了します。実行中の操作は続きます。',
  deleteTitle: '{{name}} を削除しますか？',
  deleteBody: 'このメンバーのセッションは直ちに終了します。行った操作はアカウントに残ります。元に戻せません。',
  revokeTitle: '{{name}} の招待を取り消しますか？',
  revokeBody: 'リンクは使えなくなります。',
};
