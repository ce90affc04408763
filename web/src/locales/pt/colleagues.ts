import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'Colegas',
  hint: 'Os colegas entram com o próprio nome e agem por esta conta. O registro de atividades mostra quem fez o quê.',
  empty: 'Ainda não há colegas',
  invite: 'Convidar colega',
  name: 'Nome',
  operator: 'Operador',
  readOnly: 'Somente leitura',
  operatorHint: 'Pode fazer tudo, exceto gerenciar colegas.',
  readOnlyHint: 'Pode ver tudo e não alterar nada.',
  invitedUntil: 'Convidado · link válido até {{date}}',
  shareText: 'Entre na conta com este link:',
  disabledAbove: 'Bloqueado por um nível superior',
  rename: 'Renomear',
  makeOperator: 'Tornar operador',
  makeReadOnly: 'Tornar somente leitura',
  disableTitle: 'Bloquear {{name}}?',
  disableBody: 'Todas as sessões deste colega terminam imediatamente. O que ele iniciou continua.',
  deleteTitle: 'Excluir {{name}}?',
  deleteBody:
    'Todas as sessões deste colega terminam imediatamente. O que ele fez permanece na conta. Isto não pode ser desfeito.',
  revokeTitle: 'Revogar o convite de {{name}}?',
  revokeBody: 'O link deixará de funcionar.',
};
