import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'Não foi possível carregar esta página',
  chunkHint: 'A rede está lenta ou fora do ar, ou há uma versão mais nova.',
  brokenTitle: 'Algo deu errado aqui',
  brokenHint: 'Recarregue a página. Se acontecer de novo, conte ao seu revendedor o que você fez.',
  reload: 'Recarregar',
  notFoundTitle: 'Não há nada aqui',
  notFoundHint: 'O endereço está errado ou o que estava aqui não existe mais.',
  toHome: 'Ir para o início',
};
