import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Werbeverwaltungssystem',
  pairTitle: 'Diesen Bildschirm verbinden',
  pairScan: 'Den Code mit dem Telefon scannen',
  pairOpen: 'Oder {address} öffnen und den Code eingeben',
  code: 'Code',
  mac: 'MAC-Adresse',
  connecting: 'Verbindung zum Server wird hergestellt …',
  waiting: 'Verbunden, wartet auf Kopplung',
  offline: 'Keine Verbindung zum Server. Neuer Versuch …',
  expiredTitle: 'Dieser Bildschirm ist abgelaufen',
  expiredContact: 'Bitte wenden Sie sich an {merchant}, um ihn weiter zu nutzen',
  expiredDealer: 'Bitte wenden Sie sich an Ihren Händler, um ihn weiter zu nutzen',
  nothing: 'Zurzeit ist nichts geplant',
  downloading: 'Wird geladen: {percent} %',
  insecure: 'Keine sichere Verbindung: Speichern nicht möglich, Wiedergabe aus dem Netz',
};

export default texts;
