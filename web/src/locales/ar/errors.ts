import type { errors as en } from '../en/errors.ts';
import type { Forms } from './forms.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en, Forms> = {
  chunkTitle: 'تعذّر تحميل هذه الصفحة',
  chunkHint: 'الشبكة بطيئة أو مقطوعة، أو هناك إصدار أحدث.',
  brokenTitle: 'حدث خطأ ما',
  brokenHint: 'أعد تحميل الصفحة. وإذا تكرر الخطأ فأخبر موزّعك بما كنت تفعله.',
  reload: 'إعادة التحميل',
  notFoundTitle: 'لا يوجد شيء هنا',
  notFoundHint: 'العنوان غير صحيح، أو لم يعد المحتوى موجودًا.',
  toHome: 'إلى الصفحة الرئيسية',
};
