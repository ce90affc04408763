import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'No se ha podido cargar esta página',
  chunkHint: 'La red va lenta o no responde, o hay una versión más reciente.',
  brokenTitle: 'Algo ha fallado aquí',
  brokenHint: 'Vuelve a cargar la página. Si se repite, cuéntale a tu distribuidor lo que hiciste.',
  reload: 'Recargar',
  notFoundTitle: 'Aquí no hay nada',
  notFoundHint: 'La dirección no es correcta o lo que había aquí ya no está.',
  toHome: 'Ir al inicio',
};
