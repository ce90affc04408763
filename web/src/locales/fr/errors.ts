import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Impossible de charger cette page',
  chunkHint: 'La connexion est lente ou perdue, ou une version plus récente est disponible.',
  brokenTitle: 'Une erreur s’est produite',
  brokenHint: 'Rechargez la page. Si cela se reproduit, dites à votre revendeur ce que vous faisiez.',
  reload: 'Recharger',
  unreachable: 'Le serveur n’a pas répondu. Vérifiez la connexion, puis réessayez.',
  notFoundTitle: 'Page introuvable',
  notFoundHint: 'Le lien est peut-être incorrect, ou la page a été supprimée.',
  toHome: 'Aller à l’accueil',
};
