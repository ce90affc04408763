import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Todas estas etiquetas',
  anyTag: 'Al menos una de estas etiquetas',
  noTag: 'Ninguna de estas etiquetas',
  filterTags: 'Filtrar por etiquetas',
  removeTag: 'Quitar la etiqueta {{tag}}',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}}, o aún sin notificar',
  ad: 'Anuncio publicado',
  releasedAd: 'Anuncio publicado, sin campañas',
  gone: 'eliminado',
  change: 'Cambiar filtros',
  changing:
    'Estás cambiando los filtros del grupo {{name}}. Las publicaciones permanentes lo siguen en cuanto guardes.',
  everything: 'Sin filtros: todos los dispositivos de {{username}} y de los usuarios a su cargo',
};
