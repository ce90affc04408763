import type { reports as en } from '../en/reports.ts';
import type { Texts } from '../texts.ts';

export const reports: Texts<typeof en, 'one' | 'other'> = {
  range: 'Zeitraum',
  thisDay: 'Heute',
  days7: 'Letzte 7 Tage',
  days30: 'Letzte 30 Tage',
  lastMonth: 'Letzter Monat',
  custom: 'Tage wählen',
  from: 'Von',
  to: 'Bis',
  plays: 'Wiedergaben',
  onScreen: 'Zeit auf dem Bildschirm',
  byHour: 'Wiedergaben nach Stunde',
  byDay: 'Wiedergaben nach Tag',
  zones: 'Tage und Stunden in der Ortszeit der Geräte: {{zones}}',
  groupBy: 'Gliedern nach',
  ad: 'Anzeige',
  device: 'Gerät',
  file: 'Datei',
  day: 'Tag',
  owner: 'Benutzer',
  ofUser: 'Nach Benutzer filtern',
  removeFilter: 'Filter entfernen: {{what}} „{{name}}“',
  export: '{{format}} exportieren',
  otherUsers: 'Von einem anderen Benutzer',
  empty: 'Keine Wiedergaben in diesem Zeitraum',
  emptyHint:
    'Geräte melden ihre Wiedergaben, wenn sie online sind. Wählen Sie andere Tage oder veröffentlichen Sie eine Anzeige.',
  count_one: '{{n}} Wiedergabe',
  count_other: '{{n}} Wiedergaben',
};
