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
  zones: 'Los días y las horas son los locales de los dispositivos: {{zones}}',
  groupBy: 'Agrupar por',
  ad: 'Anuncio',
  device: 'Dispositivo',
  file: 'Archivo',
  day: 'Día',
  owner: 'Usuario',
  ofUser: 'Dispositivos de un usuario',
  removeFilter: 'Quitar {{what}} «{{name}}»',
  export: 'Exportar {{format}}',
  otherUsers: 'De otro usuario',
  empty: 'No se reprodujo nada en este periodo',
  emptyHint:
    'Los dispositivos informan de lo que mostraron en cuanto tienen conexión. Elija otras fechas o publique un anuncio.',
  count_one: '{{n}} reproducción',
  count_many: '{{n}} reproducciones',
  count_other: '{{n}} reproducciones',
};
