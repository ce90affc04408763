import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'Colaboradores',
  hint: 'Los colaboradores inician sesión con su propio nombre y actúan por esta cuenta. El registro de actividad los nombra.',
  empty: 'Aún no hay colaboradores',
  invite: 'Invitar a un colaborador',
  name: 'Nombre',
  operator: 'Operador',
  readOnly: 'Solo lectura',
  operatorHint: 'Puede hacer todo salvo gestionar colaboradores.',
  readOnlyHint: 'Puede verlo todo y no cambiar nada.',
  invitedUntil: 'Invitado · enlace válido hasta el {{date}}',
  shareText: 'Únete a la cuenta con este enlace:',
  disabledAbove: 'Bloqueado por un nivel superior',
  rename: 'Cambiar nombre',
  makeOperator: 'Hacer operador',
  makeReadOnly: 'Dejar en solo lectura',
  disableTitle: '¿Bloquear a {{name}}?',
  disableBody: 'Todas sus sesiones terminan de inmediato. Lo que encargó continúa.',
  deleteTitle: '¿Eliminar a {{name}}?',
  deleteBody: 'Todas sus sesiones terminan de inmediato. Lo que hizo permanece en la cuenta. No se puede deshacer.',
  revokeTitle: '¿Anular la invitación de {{name}}?',
  revokeBody: 'El enlace dejará de funcionar.',
};
