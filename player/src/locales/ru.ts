import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Система управления рекламой',
  pairTitle: 'Подключите этот экран',
  pairScan: 'Отсканируйте код телефоном',
  pairOpen: 'Или откройте {address} и введите код',
  code: 'Код',
  mac: 'MAC-адрес',
  connecting: 'Подключение к серверу…',
  waiting: 'Подключено, ожидание привязки',
  offline: 'Нет связи с сервером. Повторная попытка…',
  expiredTitle: 'Срок действия этого экрана истёк',
  expiredContact: 'Чтобы продолжить пользоваться им, свяжитесь с {merchant}',
  expiredDealer: 'Чтобы продолжить пользоваться им, свяжитесь с дилером',
  nothing: 'Сейчас ничего не запланировано',
  downloading: 'Загрузка: {percent} %',
  insecure: 'Небезопасное соединение: хранение невозможно, воспроизведение из сети',
};

export default texts;
