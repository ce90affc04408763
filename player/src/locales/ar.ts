import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'نظام إدارة الإعلانات',
  pairTitle: 'توصيل هذه الشاشة',
  pairScan: 'امسح الرمز بهاتفك',
  pairOpen: 'أو افتح {address} وأدخل الرمز',
  code: 'الرمز',
  mac: 'عنوان MAC',
  connecting: 'جارٍ الاتصال بالخادم…',
  waiting: 'متصل، في انتظار الاقتران',
  offline: 'لا يوجد اتصال بالخادم. تجري إعادة المحاولة…',
  expiredTitle: 'انتهت صلاحية هذه الشاشة',
  expiredContact: 'يرجى التواصل مع {merchant} لمواصلة استخدامها',
  expiredDealer: 'يرجى التواصل مع الموزع لمواصلة استخدامها',
  nothing: 'لا يوجد محتوى مجدول الآن',
  downloading: 'جارٍ التنزيل {percent}٪',
  insecure: 'اتصال غير آمن: لا يمكن التخزين، يتم التشغيل من الشبكة',
};

export default texts;
