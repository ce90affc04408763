import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'التنبيهات',
  offline: 'أجهزة غير متصلة',
  offlineMinutes: 'لأكثر من (دقائق)',
  expiring: 'أجهزة توشك على الانتهاء',
  expiringDays: 'خلال (أيام)',
  watched: 'الأجهزة',
  watchAll: 'كل الأجهزة',
  groupDeleted: 'مجموعة محذوفة',
  groupDeletedHint: 'حُذفت المجموعة مع الحساب الذي تنتمي إليه. لن تُرسل أي تنبيهات حتى تختار أجهزة أخرى.',
  email: 'البريد الإلكتروني',
  emailHint: 'اتركه فارغًا لإيقاف رسائل البريد',
  unconfirmed: 'أدخل الرمز المرسل إلى ⁨{{email}}⁩. تُرسل التنبيهات إليه بعد تأكيد العنوان.',
  confirmTitle: 'تأكيد عنوان البريد الإلكتروني',
  code: 'الرمز',
  confirmed: 'تم تأكيد عنوان البريد الإلكتروني',
  resend: 'إرسال رمز جديد',
  resent: 'تم إرسال الرمز',
  noMail: 'لم يُعدّ خادم بريد. اطلب من المسؤول إعداده.',
  webhook: 'Webhook',
  webhookHint: 'تُرسل التنبيهات إلى هذا الرابط بصيغة JSON موقّعة. يظهر مفتاح التوقيع هنا بعد الحفظ.',
  secret: 'مفتاح التوقيع',
  deliveryFailed: 'تعذّر تسليم آخر تنبيه: \u2068{{reason}}\u2069',
  test: 'إرسال تنبيه تجريبي',
  tested: 'تم إرسال التنبيه التجريبي',
};
