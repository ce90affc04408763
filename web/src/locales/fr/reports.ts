import type { reports as en } from '../en/reports.ts';
import type { Texts } from '../texts.ts';

export const reports: Texts<typeof en, 'one' | 'many' | 'other'> = {
  range: 'Période',
  thisDay: 'Aujourd’hui',
  days7: '7 derniers jours',
  days30: '30 derniers jours',
  lastMonth: 'Mois dernier',
  custom: 'Choisir les dates',
  from: 'Du',
  to: 'Au',
  plays: 'Diffusions',
  onScreen: 'Temps à l’écran',
  byHour: 'Diffusions par heure',
  byDay: 'Diffusions par jour',
  zones: 'Jours et heures à l’heure locale des appareils\u00a0: {{zones}}',
  groupBy: 'Regrouper par',
  ad: 'Publicité',
  device: 'Appareil',
  file: 'Fichier',
  day: 'Jour',
  owner: 'Utilisateur',
  ofUser: 'Filtrer par utilisateur',
  removeFilter: 'Retirer le filtre\u00a0: {{what}} «\u00a0{{name}}\u00a0»',
  export: 'Exporter en {{format}}',
  otherUsers: 'D’un autre utilisateur',
  empty: 'Aucune diffusion pendant cette période',
  emptyHint:
    'Les appareils signalent leurs diffusions quand ils sont en ligne. Choisissez d’autres dates ou diffusez une publicité.',
  count_one: '{{n}} diffusion',
  count_many: '{{n}} diffusions',
  count_other: '{{n}} diffusions',
};
