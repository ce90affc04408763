import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Système de gestion publicitaire',
  pairTitle: 'Connecter cet écran',
  pairScan: 'Scannez le code avec votre téléphone',
  pairOpen: 'Ou ouvrez {address} et saisissez le code',
  code: 'Code',
  mac: 'Adresse MAC',
  connecting: 'Connexion au serveur…',
  waiting: 'Connecté, en attente d’association',
  offline: 'Pas de connexion au serveur. Nouvel essai…',
  expiredTitle: 'Cet écran a expiré',
  expiredContact: 'Veuillez contacter {merchant} pour continuer à l’utiliser',
  expiredDealer: 'Veuillez contacter votre revendeur pour continuer à l’utiliser',
  nothing: 'Rien n’est programmé pour le moment',
  downloading: 'Téléchargement : {percent} %',
  insecure: 'Connexion non sécurisée : stockage impossible, lecture depuis le réseau',
};

export default texts;
