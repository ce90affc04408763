import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: '登录',
  loginTitle: '欢迎回来',
  tagline: '城中每一块屏幕，尽在掌中。',
  username: '用户名',
  password: '密码',
  confirmPassword: '确认密码',
  captcha: '验证码',
  captchaPicture: '验证码图片',
  captchaAnother: '点击换一张',
  registerByCode: '使用邀请码注册',
  selfRegister: '注册账号',
  haveAccount: '已有账号？去登录',
  registerTitle: '注册用户',
  register: '注册',
  invitationCode: '邀请码',
  checkCode: '验证邀请码',
  checkingCode: '正在验证邀请码…',
  invitedBy: '邀请人：{{username}}',
  noCode: '没有邀请码？直接注册账号',
  usernameHint: '4 到 20 位字母或数字',
  passwordHint: '至少 8 个字符',
  selfRegisterClosed: '此处未开放自助注册，请向经销商索取邀请码。',
  logoutDone: '已退出登录',
  loggingOut: '正在退出登录…',
};
