import type { reports as en } from '../en/reports.ts';
import type { Texts } from '../texts.ts';

export const reports: Texts<typeof en, 'one' | 'other'> = {
  range: 'Dönem',
  thisDay: 'Bugün',
  days7: 'Son 7 gün',
  days30: 'Son 30 gün',
  lastMonth: 'Geçen ay',
  custom: 'Tarih seç',
  from: 'Başlangıç',
  to: 'Bitiş',
  plays: 'Gösterim',
  onScreen: 'Ekrandaki süre',
  byHour: 'Saatlere göre gösterimler',
  byDay: 'Günlere göre gösterimler',
  zones: 'Gün ve saatler cihazların yerel saatidir: {{zones}}',
  groupBy: 'Gruplama',
  ad: 'Reklam',
  device: 'Cihaz',
  file: 'Dosya',
  day: 'Gün',
  owner: 'Kullanıcı',
  ofUser: 'Bir kullanıcının cihazları',
  removeFilter: '{{what}} “{{name}}” sınırını kaldır',
  export: '{{format}} dışa aktar',
  otherUsers: 'Başka bir kullanıcının',
  empty: 'Bu dönemde gösterim yok',
  emptyHint:
    'Cihazlar çevrimiçi olur olmaz gösterdiklerini bildirir. Başka tarihler seçin ya da bir reklam yayınlayın.',
  count_one: '{{n}} gösterim',
  count_other: '{{n}} gösterim',
};
