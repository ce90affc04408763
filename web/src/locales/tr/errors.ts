import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Bu sayfa yüklenemedi',
  chunkHint: 'Ağ yavaş ya da yok veya daha yeni bir sürüm var.',
  brokenTitle: 'Burada bir sorun oluştu',
  brokenHint: 'Sayfayı yenileyin. Yine olursa ne yaptığınızı bayinize anlatın.',
  reload: 'Yenile',
  notFoundTitle: 'Burada bir şey yok',
  notFoundHint: 'Adres yanlış ya da buradaki içerik artık yok.',
  toHome: 'Ana sayfaya git',
};
