import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'No se ha podido cargar esta página',
  chunkHint: 'La conexión es lenta o se ha perdido, o hay una versión más reciente.',
  brokenTitle: 'Algo ha fallado',
  brokenHint: 'Vuelve a cargar la página. Si se repite, cuéntale a tu distribuidor qué estabas haciendo.',
  reload: 'Recargar',
  unreachable: 'El servidor no respondió. Comprueba la conexión y vuelve a intentarlo.',
  notFoundTitle: 'Página no encontrada',
  notFoundHint: 'Puede que el enlace sea incorrecto o que la página se haya eliminado.',
  toHome: 'Ir al inicio',
};
