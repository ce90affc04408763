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
  zones: 'Dias e horas no horário local dos dispositivos: {{zones}}',
  groupBy: 'Agrupar por',
  ad: 'Anúncio',
  device: 'Dispositivo',
  file: 'Arquivo',
  day: 'Dia',
  owner: 'Usuário',
  ofUser: 'Filtrar por usuário',
  removeFilter: 'Remover filtro: {{what}} “{{name}}”',
  export: 'Exportar {{format}}',
  otherUsers: 'De outro usuário',
  empty: 'Nenhuma exibição neste período',
  emptyHint:
    'Os dispositivos informam suas exibições quando estão online. Escolha outras datas ou publique um anúncio.',
  count_one: '{{n}} exibição',
  count_many: '{{n}} exibições',
  count_other: '{{n}} exibições',
};
