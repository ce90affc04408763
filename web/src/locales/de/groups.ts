import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Alle diese Schlagwörter',
  anyTag: 'Mindestens eines dieser Schlagwörter',
  noTag: 'Keines dieser Schlagwörter',
  filterTags: 'Nach Schlagwörtern filtern',
  removeTag: 'Schlagwort {{tag}} entfernen',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}} oder noch nicht gemeldet',
  ad: 'Veröffentlichte Anzeige',
  releasedAd: 'Veröffentlichte Anzeige, ohne Kampagnen',
  gone: 'gelöscht',
  change: 'Filter ändern',
  changing:
    'Sie ändern die Filter der Gruppe {{name}}. Dauerhafte Veröffentlichungen folgen ihr, sobald Sie speichern.',
  everything: 'Kein Filter: alle Geräte von {{username}} und der Benutzer darunter',
};
