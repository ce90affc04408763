import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Uyarılar',
  hint: 'Cihazların size ihtiyacı olduğunda haberiniz olsun: kaç tane olursa olsun tek mesaj.',
  offline: 'Cihazlar çevrimdışı olduğunda',
  offlineMinutes: 'Şundan uzun (dakika)',
  expiring: 'Cihazların süresi dolmak üzereyken',
  expiringDays: 'Şu süre içinde (gün)',
  email: 'E-posta',
  emailHint: 'İstemiyorsanız boş bırakın',
  unconfirmed: '{{email}} adresine gönderilen kodu girin. Uyarılar adres doğrulandıktan sonra gönderilir.',
  confirmTitle: 'E-posta adresini doğrula',
  code: 'Kod',
  confirmed: 'E-posta adresi doğrulandı',
  resend: 'Yeni kod gönder',
  resent: 'Kod gönderildi',
  noMail: 'Bu kurulumda henüz posta sunucusu yok; yönetici ayarlayabilir.',
  webhook: 'Webhook',
  webhookHint: 'Uyarıyı JSON olarak alan bir adresiniz; kaydedince burada görünen anahtarla imzalanır',
  secret: 'İmzayı doğrulama anahtarı',
  deliveryFailed: 'Son mesaj ulaşmadı: {{reason}}',
  test: 'Deneme gönder',
  tested: 'Deneme gönderildi',
};
