import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Diese Seite konnte nicht geladen werden',
  chunkHint: 'Die Verbindung ist langsam oder unterbrochen, oder es gibt eine neuere Version.',
  brokenTitle: 'Etwas ist schiefgegangen',
  brokenHint: 'Laden Sie die Seite neu. Tritt der Fehler wieder auf, sagen Sie Ihrem Händler, was Sie getan haben.',
  reload: 'Neu laden',
  unreachable: 'Der Server hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  notFoundTitle: 'Seite nicht gefunden',
  notFoundHint: 'Der Link ist vielleicht falsch, oder die Seite wurde entfernt.',
  toHome: 'Zur Startseite',
};
