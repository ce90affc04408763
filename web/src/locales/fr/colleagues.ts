import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'Collègues',
  hint: 'Les collègues se connectent avec leur propre nom et agissent pour ce compte. Le journal d’activité les nomme.',
  empty: 'Aucun collègue pour l’instant',
  invite: 'Inviter un collègue',
  name: 'Nom',
  operator: 'Opérateur',
  readOnly: 'Lecture seule',
  operatorHint: 'Peut tout faire, sauf gérer les collègues.',
  readOnlyHint: 'Peut tout voir et ne rien modifier.',
  invitedUntil: 'Invité · lien valable jusqu’au {{date}}',
  shareText: 'Rejoignez le compte avec ce lien\u00a0:',
  disabledAbove: 'Bloqué par un responsable',
  rename: 'Renommer',
  makeOperator: 'Passer en opérateur',
  makeReadOnly: 'Passer en lecture seule',
  disableTitle: 'Bloquer {{name}}\u00a0?',
  disableBody: 'Toutes ses sessions prennent fin immédiatement. Ce qu’il a lancé continue.',
  deleteTitle: 'Supprimer {{name}}\u00a0?',
  deleteBody:
    'Toutes ses sessions prennent fin immédiatement. Ce qu’il a fait reste dans le compte. Cette action est irréversible.',
  revokeTitle: 'Annuler l’invitation de {{name}}\u00a0?',
  revokeBody: 'Le lien ne fonctionnera plus.',
};
