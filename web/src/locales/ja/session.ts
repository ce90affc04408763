import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'ログイン',
  loginTitle: 'おかえりなさい',
  tagline: '街じゅうの画面を、その手に。',
  username: 'ユーザー名',
  password: 'パスワード',
  confirmPassword: 'パスワード（確認）',
  captcha: '確認コード',
  captchaPicture: '確認コードの画像',
  captchaAnother: 'タップして別のコードを表示',
  registerByCode: '招待コードで登録',
  selfRegister: 'アカウントを作成',
  haveAccount: 'アカウントをお持ちですか？ログイン',
  registerTitle: 'ユーザー登録',
  register: '登録',
  invitationCode: '招待コード',
  checkCode: 'コードを確認',
  checkingCode: '招待コードを確認しています…',
  invitedBy: '{{username}} さんからの招待',
  noCode: 'コードがない場合はこちらから作成',
  usernameHint: '英数字 4～20 文字',
  passwordHint: '8 文字以上',
  selfRegisterClosed: '自己登録は受け付けていません。販売店に招待コードを依頼してください。',
  logoutDone: 'ログアウトしました',
  loggingOut: 'ログアウトしています…',
};
