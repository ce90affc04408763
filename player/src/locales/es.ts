import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Sistema de gestión de publicidad',
  pairTitle: 'Conectar esta pantalla',
  pairScan: 'Escanee el código con su teléfono',
  pairOpen: 'O abra {address} e introduzca el código',
  code: 'Código',
  mac: 'Dirección MAC',
  connecting: 'Conectando con el servidor…',
  waiting: 'Conectado, a la espera de vinculación',
  offline: 'Sin conexión con el servidor. Reintentando…',
  expiredTitle: 'Esta pantalla ha caducado',
  expiredContact: 'Póngase en contacto con {merchant} para seguir usándola',
  expiredDealer: 'Póngase en contacto con su distribuidor para seguir usándola',
  nothing: 'No hay nada programado ahora',
  downloading: 'Descargando {percent} %',
  insecure: 'Conexión no segura: no se puede almacenar; se reproduce desde la red',
};

export default texts;
