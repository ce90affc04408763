import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Bu sayfa yüklenemedi',
  chunkHint: 'Bağlantı yavaş ya da kesik veya daha yeni bir sürüm var.',
  brokenTitle: 'Bir sorun oluştu',
  brokenHint: 'Sayfayı yenileyin. Yine olursa ne yaptığınızı bayinize anlatın.',
  reload: 'Yenile',
  unreachable: 'Sunucu yanıt vermedi. Bağlantıyı kontrol edip yeniden deneyin.',
  notFoundTitle: 'Sayfa bulunamadı',
  notFoundHint: 'Bağlantı yanlış olabilir ya da sayfa kaldırılmış olabilir.',
  toHome: 'Ana sayfaya git',
};
