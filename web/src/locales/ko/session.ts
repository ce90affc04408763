import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: '로그인',
  loginTitle: '다시 오신 것을 환영합니다',
  tagline: '도시의 모든 화면을 손안에.',
  username: '사용자 이름',
  password: '비밀번호',
  confirmPassword: '비밀번호 확인',
  captcha: '인증 코드',
  captchaPicture: '인증 코드 이미지',
  captchaAnother: '탭하여 새 코드 받기',
  registerByCode: '초대 코드로 가입',
  selfRegister: '계정 만들기',
  haveAccount: '계정이 있으신가요? 로그인',
  registerTitle: '사용자 등록',
  register: '가입',
  invitationCode: '초대 코드',
  checkCode: '코드 확인',
  checkingCode: '초대 코드를 확인하는 중…',
  invitedBy: '{{username}} 님의 초대',
  noCode: '코드가 없나요? 코드 없이 계정 만들기',
  usernameHint: '영문자와 숫자 4~20자',
  passwordHint: '8자 이상',
  selfRegisterClosed: '직접 가입할 수 없습니다. 판매점에 초대 코드를 요청해 주세요.',
  logoutDone: '로그아웃되었습니다',
  loggingOut: '로그아웃하는 중…',
};
