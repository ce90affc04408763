import type { session as en } from '../en/session.ts';
import type { Forms } from './forms.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en, Forms> = {
  login: 'تسجيل الدخول',
  loginTitle: 'أهلًا بعودتك',
  tagline: 'كل شاشات المدينة بين يديك.',
  username: 'اسم المستخدم',
  password: 'كلمة المرور',
  confirmPassword: 'تأكيد كلمة المرور',
  captcha: 'رمز التحقق',
  captchaPicture: 'صورة رمز التحقق',
  captchaAnother: 'اضغط لرمز آخر',
  registerByCode: 'التسجيل برمز دعوة',
  selfRegister: 'إنشاء حساب',
  haveAccount: 'لديك حساب؟ سجّل الدخول',
  registerTitle: 'تسجيل مستخدم',
  register: 'تسجيل',
  invitationCode: 'رمز الدعوة',
  checkCode: 'التحقق من الرمز',
  checkingCode: 'جارٍ التحقق من رمز الدعوة…',
  invitedBy: 'بدعوة من \u2068{{username}}\u2069',
  noCode: 'ليس لديك رمز؟ أنشئ حسابًا بدونه',
  usernameHint: 'من 4 إلى 20 حرفًا ورقمًا',
  passwordHint: '8 أحرف على الأقل',
  selfRegisterClosed: 'التسجيل الذاتي مغلق هنا. اطلب رمز دعوة من موزّعك.',
  logoutDone: 'تم تسجيل الخروج',
  loggingOut: 'جارٍ تسجيل الخروج…',
};
