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
  zones: 'Jours et heures locaux des appareils : {{zones}}',
  groupBy: 'Regrouper par',
  ad: 'Publicité',
  device: 'Appareil',
  file: 'Fichier',
  day: 'Jour',
  owner: 'Utilisateur',
  ofUser: 'Appareils d’un utilisateur',
  removeFilter: 'Sans {{what}} « {{name}} »',
  export: 'Exporter en {{format}}',
  otherUsers: 'D’un autre utilisateur',
  empty: 'Rien n’a été diffusé pendant cette période',
  emptyHint:
    'Les appareils signalent ce qu’ils ont affiché dès qu’ils sont en ligne. Choisissez d’autres dates ou publiez une publicité.',
  count_one: '{{n}} diffusion',
  count_many: '{{n}} diffusions',
  count_other: '{{n}} diffusions',
};
