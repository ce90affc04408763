import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Uyarılar',
  offline: 'Çevrimdışı cihazlar',
  offlineMinutes: 'Şundan uzun (dakika)',
  expiring: 'Süresi dolmak üzere olan cihazlar',
  expiringDays: 'Şu süre içinde (gün)',
  watched: 'Cihazlar',
  watchAll: 'Tüm cihazlar',
  groupDeleted: 'Silinmiş grup',
  groupDeletedHint: 'Grup, ait olduğu hesapla birlikte silindi. Başka cihazlar seçene kadar uyarı gönderilmez.',
  email: 'E-posta',
  emailHint: 'E-postaları kapatmak için boş bırakın',
  unconfirmed: '{{email}} adresine gönderilen kodu girin. Uyarılar adres doğrulandıktan sonra gönderilir.',
  confirmTitle: 'E-posta adresini doğrula',
  code: 'Kod',
  confirmed: 'E-posta adresi doğrulandı',
  resend: 'Yeni kod gönder',
  resent: 'Kod gönderildi',
  noMail: 'Posta sunucusu ayarlanmamış. Yöneticinizden ayarlamasını isteyin.',
  webhook: 'Webhook',
  webhookHint: 'Uyarılar bu URL’ye imzalı JSON olarak gönderilir. İmza anahtarı kaydettikten sonra burada görünür.',
  secret: 'İmza anahtarı',
  deliveryFailed: 'Son uyarı teslim edilemedi: {{reason}}',
  test: 'Test uyarısı gönder',
  tested: 'Test uyarısı gönderildi',
};
