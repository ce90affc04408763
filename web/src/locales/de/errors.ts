import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Diese Seite konnte nicht geladen werden',
  chunkHint: 'Das Netz ist langsam oder fehlt, oder es gibt eine neuere Version.',
  brokenTitle: 'Hier ist etwas schiefgegangen',
  brokenHint: 'Laden Sie die Seite neu. Passiert es wieder, sagen Sie Ihrem Händler, was Sie getan haben.',
  reload: 'Neu laden',
  notFoundTitle: 'Hier gibt es nichts',
  notFoundHint: 'Die Adresse ist falsch, oder was hier stand, ist gelöscht.',
  toHome: 'Zur Startseite',
};
