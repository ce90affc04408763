import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Reklam Yönetim Sistemi',
  pairTitle: 'Bu ekranı bağlayın',
  pairScan: 'Kodu telefonunuzla tarayın',
  pairOpen: 'Ya da {address} adresini açıp kodu girin',
  code: 'Kod',
  mac: 'MAC adresi',
  connecting: 'Sunucuya bağlanılıyor…',
  waiting: 'Bağlandı, eşleştirme bekleniyor',
  offline: 'Sunucuyla bağlantı yok. Yeniden deneniyor…',
  expiredTitle: 'Bu ekranın süresi doldu',
  expiredContact: 'Kullanmaya devam etmek için lütfen {merchant} ile iletişime geçin',
  expiredDealer: 'Kullanmaya devam etmek için lütfen bayinizle iletişime geçin',
  nothing: 'Şu anda planlanmış içerik yok',
  downloading: 'İndiriliyor: %{percent}',
  insecure: 'Güvenli olmayan bağlantı: depolama yapılamıyor, ağdan oynatılıyor',
};

export default texts;
