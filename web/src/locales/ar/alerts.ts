import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'التنبيهات',
  hint: 'اعرف متى تحتاجك الأجهزة: رسالة واحدة مهما كان عددها.',
  offline: 'عندما تنقطع الأجهزة',
  offlineMinutes: 'لأكثر من (دقائق)',
  expiring: 'عندما توشك الأجهزة على الانتهاء',
  expiringDays: 'خلال (أيام)',
  email: 'البريد الإلكتروني',
  emailHint: 'اتركه فارغًا لعدم الإرسال',
  unconfirmed: 'أدخل الرمز المرسل إلى ⁨{{email}}⁩. تُرسل التنبيهات إليه بعد تأكيد العنوان.',
  confirmTitle: 'تأكيد عنوان البريد الإلكتروني',
  code: 'الرمز',
  confirmed: 'تم تأكيد عنوان البريد الإلكتروني',
  resend: 'إرسال رمز جديد',
  resent: 'تم إرسال الرمز',
  noMail: 'لا يوجد خادم بريد لهذا النظام بعد؛ يمكن للمدير إعداده.',
  webhook: 'Webhook',
  webhookHint: 'عنوان لديك يتلقى التنبيه بصيغة JSON موقّعًا بمفتاح يظهر هنا بعد الحفظ',
  secret: 'مفتاح التحقق من التوقيع',
  deliveryFailed: 'لم تصل الرسالة الأخيرة: \u2068{{reason}}\u2069',
  test: 'إرسال تجربة',
  tested: 'تم إرسال التجربة',
};
