import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'كل هذه الوسوم',
  anyTag: 'وسم واحد على الأقل من هذه الوسوم',
  noTag: 'بدون هذه الوسوم',
  filterTags: 'التصفية حسب الوسوم',
  removeTag: 'إزالة الوسم \u2068{{tag}}\u2069',
  conditionIs: '\u2068{{name}}\u2069: \u2068{{value}}\u2069',
  fits: '{{orientation}}، أو لم يُبلَّغ عنها بعد',
  ad: 'الإعلان المنشور',
  releasedAd: 'الإعلان المنشور خارج الحملات',
  gone: 'محذوف',
  change: 'تغيير عوامل التصفية',
  changing: 'أنت تغيّر عوامل تصفية المجموعة \u2068{{name}}\u2069. تتبعها عمليات النشر الدائمة فور الحفظ.',
  everything: 'بلا تصفية: كل أجهزة \u2068{{username}}\u2069 والمستخدمين التابعين له',
};
