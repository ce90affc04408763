import type { Language } from '@ams/contract';

interface WallTexts {
  /** `{{online}}` and `{{total}}`: numbers of devices. */
  sums: string;
  online: string;
  offline: string;
  expired: string;
  unnamed: string;
  noPicture: string;
  /** `{{age}}`: how long ago it was taken. */
  picture: string;
  lost: string;
  empty: string;
  /** `{{n}}`: a number of devices. */
  rest: string;
}

/** Texts of the wall of devices. They are apart from the contract's messages, which every page loads before signing in. */
export const WALL_TEXTS: Record<Language, WallTexts> = {
  zh: {
    sums: '{{total}} 台中 {{online}} 台在线',
    online: '在线',
    offline: '离线',
    expired: '已到期',
    unnamed: '未命名设备',
    noPicture: '暂无画面',
    picture: '画面：{{age}}',
    lost: '连接中断，显示的是最后已知状态。',
    empty: '没有设备',
    rest: '另有 {{n}} 台设备未显示。',
  },
  en: {
    sums: '{{online}} of {{total}} online',
    online: 'Online',
    offline: 'Offline',
    expired: 'Expired',
    unnamed: 'Unnamed device',
    noPicture: 'No picture yet',
    picture: 'Picture: {{age}}',
    lost: 'No connection. This is the last known state.',
    empty: 'No devices',
    rest: '{{n}} more devices are not shown.',
  },
  de: {
    sums: '{{online}} von {{total}} online',
    online: 'Online',
    offline: 'Offline',
    expired: 'Abgelaufen',
    unnamed: 'Gerät ohne Namen',
    noPicture: 'Noch kein Bild',
    picture: 'Bild: {{age}}',
    lost: 'Keine Verbindung. Letzter bekannter Stand.',
    empty: 'Keine Geräte',
    rest: '{{n}} weitere Geräte werden nicht angezeigt.',
  },
  es: {
    sums: '{{online}} de {{total}} en línea',
    online: 'En línea',
    offline: 'Sin conexión',
    expired: 'Caducado',
    unnamed: 'Dispositivo sin nombre',
    noPicture: 'Aún sin imagen',
    picture: 'Imagen: {{age}}',
    lost: 'Sin conexión. Este es el último estado conocido.',
    empty: 'Ningún dispositivo',
    rest: 'No se muestran {{n}} dispositivos más.',
  },
  fr: {
    sums: '{{online}} sur {{total}} en ligne',
    online: 'En ligne',
    offline: 'Hors ligne',
    expired: 'Expiré',
    unnamed: 'Appareil sans nom',
    noPicture: 'Pas encore d’image',
    picture: 'Image : {{age}}',
    lost: 'Pas de connexion. Dernier état connu.',
    empty: 'Aucun appareil',
    rest: '{{n}} autres appareils ne sont pas affichés.',
  },
  ar: {
    sums: '{{online}} من {{total}} متصل',
    online: 'متصل',
    offline: 'غير متصل',
    expired: 'منتهي الصلاحية',
    unnamed: 'جهاز بلا اسم',
    noPicture: 'لا توجد صورة بعد',
    picture: 'الصورة: {{age}}',
    lost: 'لا يوجد اتصال. هذه آخر حالة معروفة.',
    empty: 'لا توجد أجهزة',
    rest: 'عدد الأجهزة الأخرى غير المعروضة: {{n}}.',
  },
  ja: {
    sums: '{{total}} 台中 {{online}} 台がオンライン',
    online: 'オンライン',
    offline: 'オフライン',
    expired: '期限切れ',
    unnamed: '名前のないデバイス',
    noPicture: '画像はまだありません',
    picture: '画像: {{age}}',
    lost: '接続がありません。最後に確認した状態です。',
    empty: 'デバイスはありません',
    rest: 'ほかに {{n}} 台のデバイスがあります（非表示）。',
  },
  ko: {
    sums: '{{total}}대 중 {{online}}대 온라인',
    online: '온라인',
    offline: '오프라인',
    expired: '만료됨',
    unnamed: '이름 없는 기기',
    noPicture: '아직 화면 없음',
    picture: '화면: {{age}}',
    lost: '연결이 끊겼습니다. 마지막으로 확인된 상태입니다.',
    empty: '기기 없음',
    rest: '표시되지 않은 기기 {{n}}대가 더 있습니다.',
  },
  pt: {
    sums: '{{online}} de {{total}} online',
    online: 'Online',
    offline: 'Offline',
    expired: 'Vencido',
    unnamed: 'Dispositivo sem nome',
    noPicture: 'Ainda sem imagem',
    picture: 'Imagem: {{age}}',
    lost: 'Sem conexão. Este é o último estado conhecido.',
    empty: 'Nenhum dispositivo',
    rest: 'Mais {{n}} dispositivos não são exibidos.',
  },
  ru: {
    sums: 'В сети: {{online}} из {{total}}',
    online: 'В сети',
    offline: 'Не в сети',
    expired: 'Срок истёк',
    unnamed: 'Устройство без имени',
    noPicture: 'Пока нет снимка',
    picture: 'Снимок: {{age}}',
    lost: 'Нет соединения. Показано последнее известное состояние.',
    empty: 'Нет устройств',
    rest: 'Не показано устройств: {{n}}.',
  },
  tr: {
    sums: '{{total}} cihazdan {{online}} tanesi çevrimiçi',
    online: 'Çevrimiçi',
    offline: 'Çevrimdışı',
    expired: 'Süresi doldu',
    unnamed: 'Adsız cihaz',
    noPicture: 'Henüz görüntü yok',
    picture: 'Görüntü: {{age}}',
    lost: 'Bağlantı yok. Bilinen son durum gösteriliyor.',
    empty: 'Cihaz yok',
    rest: '{{n}} cihaz daha gösterilmiyor.',
  },
  vi: {
    sums: '{{online}}/{{total}} trực tuyến',
    online: 'Trực tuyến',
    offline: 'Ngoại tuyến',
    expired: 'Đã hết hạn',
    unnamed: 'Thiết bị chưa đặt tên',
    noPicture: 'Chưa có hình',
    picture: 'Hình: {{age}}',
    lost: 'Mất kết nối. Đây là trạng thái gần nhất.',
    empty: 'Không có thiết bị',
    rest: '{{n}} thiết bị khác không được hiển thị.',
  },
};
