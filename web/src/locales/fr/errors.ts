import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Impossible de charger cette page',
  chunkHint: 'Le réseau est lent ou absent, ou il existe une version plus récente.',
  brokenTitle: 'Une erreur s’est produite ici',
  brokenHint: 'Rechargez la page. Si cela se reproduit, dites à votre revendeur ce que vous avez fait.',
  reload: 'Recharger',
  notFoundTitle: 'Il n’y a rien ici',
  notFoundHint: 'L’adresse est incorrecte, ou ce qui était ici a disparu.',
  toHome: 'Vers l’accueil',
};
