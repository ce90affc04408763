import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Giriş yap',
  loginTitle: 'Yeniden hoş geldiniz',
  tagline: 'Şehirdeki her ekran elinizde.',
  username: 'Kullanıcı adı',
  password: 'Parola',
  confirmPassword: 'Parolayı doğrulayın',
  captcha: 'Doğrulama kodu',
  captchaPicture: 'Resim olarak doğrulama kodu',
  captchaAnother: 'Yenisi için dokunun',
  registerByCode: 'Davet koduyla kaydol',
  selfRegister: 'Hesap oluştur',
  haveAccount: 'Hesabınız var mı? Giriş yapın',
  registerTitle: 'Kullanıcı Kaydı',
  register: 'Kaydol',
  invitationCode: 'Davet kodu',
  checkCode: 'Kodu denetle',
  checkingCode: 'Davet kodu denetleniyor…',
  invitedBy: 'Davet eden: {{username}}',
  noCode: 'Kodunuz yok mu? Kodsuz hesap oluşturun',
  usernameHint: '4-20 harf ve rakam',
  passwordHint: 'En az 8 karakter',
  selfRegisterClosed: 'Burada davetsiz kayıt kapalı. Bayinizden bir davet kodu isteyin.',
  logoutDone: 'Çıkış yapıldı',
  loggingOut: 'Çıkış yapılıyor…',
};
