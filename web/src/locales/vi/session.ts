import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Đăng nhập',
  loginTitle: 'Chào mừng trở lại',
  tagline: 'Mọi màn hình trong phố, ngay trong tay bạn.',
  username: 'Tên người dùng',
  password: 'Mật khẩu',
  confirmPassword: 'Nhập lại mật khẩu',
  captcha: 'Mã xác minh',
  captchaPicture: 'Hình mã xác minh',
  captchaAnother: 'Chạm để đổi mã khác',
  registerByCode: 'Đăng ký bằng mã mời',
  selfRegister: 'Tạo tài khoản',
  haveAccount: 'Đã có tài khoản? Đăng nhập',
  registerTitle: 'Đăng ký người dùng',
  register: 'Đăng ký',
  invitationCode: 'Mã mời',
  checkCode: 'Kiểm tra mã',
  checkingCode: 'Đang kiểm tra mã mời…',
  invitedBy: 'Người mời: {{username}}',
  noCode: 'Không có mã? Tạo tài khoản không cần mã',
  usernameHint: '4 đến 20 chữ cái và chữ số',
  passwordHint: 'Ít nhất 8 ký tự',
  selfRegisterClosed: 'Tính năng tự đăng ký đã đóng. Hãy xin mã mời từ đại lý của bạn.',
  logoutDone: 'Đã đăng xuất',
  loggingOut: 'Đang đăng xuất…',
};
