import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'Mitarbeitende',
  hint: 'Mitarbeitende melden sich mit eigenem Namen an und handeln für dieses Konto. Das Aktivitätsprotokoll nennt sie.',
  empty: 'Noch keine Mitarbeitenden',
  invite: 'Einladen',
  name: 'Name',
  operator: 'Bearbeiten',
  readOnly: 'Nur lesen',
  operatorHint: 'Darf alles außer Mitarbeitende verwalten.',
  readOnlyHint: 'Darf alles sehen und nichts ändern.',
  invitedUntil: 'Eingeladen · Link gültig bis {{date}}',
  shareText: 'Mit diesem Link dem Konto beitreten:',
  disabledAbove: 'Von übergeordneter Stelle gesperrt',
  rename: 'Umbenennen',
  makeOperator: 'Bearbeiten erlauben',
  makeReadOnly: 'Nur lesen lassen',
  disableTitle: '{{name}} sperren?',
  disableBody: 'Alle Sitzungen dieser Person enden sofort. Was sie veranlasst hat, läuft weiter.',
  deleteTitle: '{{name}} löschen?',
  deleteBody:
    'Alle Sitzungen dieser Person enden sofort. Was sie getan hat, bleibt im Konto. Das lässt sich nicht rückgängig machen.',
  revokeTitle: 'Einladung von {{name}} widerrufen?',
  revokeBody: 'Der Link funktioniert dann nicht mehr.',
};
