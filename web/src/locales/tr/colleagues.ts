import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'Çalışma arkadaşları',
  hint: 'Çalışma arkadaşları kendi adlarıyla oturum açar ve bu hesap adına işlem yapar. Etkinlik günlüğü adlarını gösterir.',
  empty: 'Henüz çalışma arkadaşı yok',
  invite: 'Çalışma arkadaşı davet et',
  name: 'Ad',
  operator: 'Operatör',
  readOnly: 'Salt okunur',
  operatorHint: 'Çalışma arkadaşlarını yönetmek dışında her şeyi yapabilir.',
  readOnlyHint: 'Her şeyi görebilir, hiçbir şeyi değiştiremez.',
  invitedUntil: 'Davet edildi · bağlantı {{date}} tarihine kadar geçerli',
  shareText: 'Bu bağlantıyla hesaba katılın:',
  disabledAbove: 'Üst düzey kullanıcı tarafından engellendi',
  rename: 'Yeniden adlandır',
  makeOperator: 'Operatör yap',
  makeReadOnly: 'Salt okunur yap',
  disableTitle: '{{name}} engellensin mi?',
  disableBody: 'Bu kişinin tüm oturumları hemen sona erer. Başlattığı işlemler devam eder.',
  deleteTitle: '{{name}} silinsin mi?',
  deleteBody: 'Bu kişinin tüm oturumları hemen sona erer. Yaptıkları hesapta kalır. Bu geri alınamaz.',
  revokeTitle: '{{name}} için davet iptal edilsin mi?',
  revokeBody: 'Bağlantı artık çalışmaz.',
};
