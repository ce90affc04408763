import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Não foi possível carregar esta página',
  chunkHint: 'A conexão está lenta ou caiu, ou há uma versão mais nova.',
  brokenTitle: 'Algo deu errado',
  brokenHint: 'Recarregue a página. Se acontecer de novo, conte ao seu revendedor o que você estava fazendo.',
  reload: 'Recarregar',
  unreachable: 'O servidor não respondeu. Verifique a conexão e tente novamente.',
  notFoundTitle: 'Página não encontrada',
  notFoundHint: 'O link pode estar errado ou a página pode ter sido removida.',
  toHome: 'Ir para o início',
};
