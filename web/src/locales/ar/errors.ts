import type { errors as en } from '../en/errors.ts';
import type { Forms } from './forms.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en, Forms> = {
  chunkTitle: 'تعذّر تحميل هذه الصفحة',
  chunkHint: 'الاتصال بطيء أو مقطوع، أو يتوفر إصدار أحدث.',
  brokenTitle: 'حدث خطأ ما',
  brokenHint: 'أعد تحميل الصفحة. وإذا تكرر الخطأ فأخبر موزّعك بما كنت تفعله.',
  reload: 'إعادة التحميل',
  unreachable: 'لم يستجب الخادم. تحقق من الاتصال ثم أعد المحاولة.',
  notFoundTitle: 'الصفحة غير موجودة',
  notFoundHint: 'قد يكون الرابط خاطئًا، أو ربما أُزيلت الصفحة.',
  toHome: 'إلى الصفحة الرئيسية',
};
