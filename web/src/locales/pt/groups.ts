import type { groups as en } from '../en/groups.ts';
import type { Texts } from '../texts.ts';

export const groups: Texts<typeof en> = {
  allTags: 'Todas estas etiquetas',
  anyTag: 'Pelo menos uma destas etiquetas',
  noTag: 'Nenhuma destas etiquetas',
  filterTags: 'Filtrar por etiquetas',
  removeTag: 'Remover a etiqueta {{tag}}',
  conditionIs: '{{name}}: {{value}}',
  fits: '{{orientation}}, ou ainda não informada',
  ad: 'Anúncio publicado',
  releasedAd: 'Anúncio publicado, sem campanhas',
  gone: 'excluído',
  change: 'Alterar filtros',
  changing:
    'Você está alterando os filtros do grupo {{name}}. As publicações permanentes o acompanham assim que você salvar.',
  everything: 'Sem filtros: todos os dispositivos de {{username}} e dos usuários abaixo',
};
