import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Toutes ces étiquettes',
  anyTag: 'Au moins une de ces étiquettes',
  noTag: 'Aucune de ces étiquettes',
  filterTags: 'Filtrer par étiquettes',
  removeTag: 'Retirer l’étiquette {{tag}}',
  conditionIs: '{{name}} : {{value}}',
  fits: '{{orientation}}, ou pas encore signalée',
  ad: 'Publicité diffusée',
  releasedAd: 'Publicité diffusée, hors campagnes',
  gone: 'supprimé',
  change: 'Modifier les filtres',
  changing: 'Vous modifiez les filtres du groupe {{name}}. Les diffusions permanentes le suivent dès l’enregistrement.',
  everything: 'Aucun filtre\u00a0: tous les appareils de {{username}} et des utilisateurs en dessous',
};
