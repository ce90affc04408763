import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Sistema de gestão de publicidade',
  pairTitle: 'Ligar este ecrã',
  pairScan: 'Leia o código com o seu telemóvel',
  pairOpen: 'Ou abra {address} e introduza o código',
  code: 'Código',
  mac: 'Endereço MAC',
  connecting: 'A ligar ao servidor…',
  waiting: 'Ligado, a aguardar emparelhamento',
  offline: 'Sem ligação ao servidor. A tentar de novo…',
  expiredTitle: 'Este ecrã expirou',
  expiredContact: 'Contacte {merchant} para continuar a utilizá-lo',
  expiredDealer: 'Contacte o seu revendedor para continuar a utilizá-lo',
  nothing: 'Nada programado neste momento',
  downloading: 'A transferir {percent} %',
  insecure: 'Ligação não segura: não é possível guardar; a reproduzir da rede',
};

export default texts;
