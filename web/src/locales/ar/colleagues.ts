import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'الزملاء',
  hint: 'يسجّل الزملاء الدخول بأسمائهم ويتصرفون نيابةً عن هذا الحساب، ويذكرهم سجل النشاط.',
  empty: 'لا يوجد زملاء بعد',
  invite: 'دعوة زميل',
  name: 'الاسم',
  operator: 'مشغّل',
  readOnly: 'قراءة فقط',
  operatorHint: 'يمكنه فعل كل شيء عدا إدارة الزملاء.',
  readOnlyHint: 'يمكنه رؤية كل شيء دون تغيير أي شيء.',
  invitedUntil: 'تمت الدعوة · الرابط صالح حتى {{date}}',
  shareText: 'انضم إلى الحساب بهذا الرابط:',
  disabledAbove: 'محظور من مسؤول أعلى',
  rename: 'إعادة التسمية',
  makeOperator: 'جعله مشغّلًا',
  makeReadOnly: 'جعله للقراءة فقط',
  disableTitle: 'حظر \u2068{{name}}\u2069؟',
  disableBody: 'تنتهي جميع جلسات هذا الزميل فورًا، ويستمر ما أمر به.',
  deleteTitle: 'حذف \u2068{{name}}\u2069؟',
  deleteBody: 'تنتهي جميع جلسات هذا الزميل فورًا، ويبقى ما فعله في الحساب. لا يمكن التراجع عن ذلك.',
  revokeTitle: 'إلغاء دعوة \u2068{{name}}\u2069؟',
  revokeBody: 'لن يعمل الرابط بعد ذلك.',
};
