import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Bu etiketlerin hepsi',
  anyTag: 'Bu etiketlerden en az biri',
  noTag: 'Bu etiketlerin hiçbiri',
  filterTags: 'Etiketlere göre filtrele',
  removeTag: '{{tag}} etiketini kaldır',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}} veya henüz bildirilmedi',
  ad: 'Yayınlanan reklam',
  releasedAd: 'Yayınlanan reklam, kampanyalar hariç',
  gone: 'silindi',
  change: 'Filtreleri değiştir',
  changing: '{{name}} grubunun filtrelerini değiştiriyorsunuz. Sürekli yayınlar, kaydettiğinizde gruba uyar.',
  everything: 'Filtre yok: {{username}} ve altındaki kullanıcıların tüm cihazları',
};
