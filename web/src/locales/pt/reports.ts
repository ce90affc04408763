import type { reports as en } from '../en/reports.ts';
import type { Texts } from '../texts.ts';

export const reports: Texts<typeof en, 'one' | 'many' | 'other'> = {
  range: 'Período',
  thisDay: 'Hoje',
  days7: 'Últimos 7 dias',
  days30: 'Últimos 30 dias',
  lastMonth: 'Mês passado',
  custom: 'Escolher datas',
  from: 'De',
  to: 'Até',
  plays: 'Exibições',
  onScreen: 'Tempo na tela',
  byHour: 'Exibições por hora',
  byDay: 'Exibições por dia',
  zones: 'Dias e horas são os locais dos dispositivos: {{zones}}',
  groupBy: 'Agrupar por',
  ad: 'Anúncio',
  device: 'Dispositivo',
  file: 'Arquivo',
  day: 'Dia',
  owner: 'Usuário',
  ofUser: 'Dispositivos de um usuário',
  removeFilter: 'Sem {{what}} “{{name}}”',
  export: 'Exportar {{format}}',
  otherUsers: 'De outro usuário',
  empty: 'Nada foi exibido neste período',
  emptyHint:
    'Os dispositivos informam o que exibiram assim que ficam online. Escolha outras datas ou publique um anúncio.',
  count_one: '{{n}} exibição',
  count_many: '{{n}} exibições',
  count_other: '{{n}} exibições',
};
