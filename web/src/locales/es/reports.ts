import type { reports as en } from '../en/reports.ts';
import type { Texts } from '../texts.ts';

export const reports: Texts<typeof en, 'one' | 'many' | 'other'> = {
  range: 'Periodo',
  thisDay: 'Hoy',
  days7: 'Últimos 7 días',
  days30: 'Últimos 30 días',
  lastMonth: 'Mes pasado',
  custom: 'Elegir fechas',
  from: 'Desde',
  to: 'Hasta',
  plays: 'Reproducciones',
  onScreen: 'Tiempo en pantalla',
  byHour: 'Reproducciones por hora',
  byDay: 'Reproducciones por día',
  zones: 'Días y horas en la hora local de los dispositivos: {{zones}}',
  groupBy: 'Agrupar por',
  ad: 'Anuncio',
  device: 'Dispositivo',
  file: 'Archivo',
  day: 'Día',
  owner: 'Usuario',
  ofUser: 'Filtrar por usuario',
  removeFilter: 'Quitar filtro: {{what}} «{{name}}»',
  export: 'Exportar {{format}}',
  otherUsers: 'De otro usuario',
  empty: 'No hay reproducciones en este periodo',
  emptyHint:
    'Los dispositivos notifican sus reproducciones cuando están en línea. Elige otras fechas o publica un anuncio.',
  count_one: '{{n}} reproducción',
  count_many: '{{n}} reproducciones',
  count_other: '{{n}} reproducciones',
};
