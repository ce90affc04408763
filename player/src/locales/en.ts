/** What the machine says of itself; the other languages have the same keys. `{name}` is filled in. */
const texts = {
  product: 'Advertising Management System',
  pairTitle: 'Connect this screen',
  pairScan: 'Scan the code with your phone',
  pairOpen: 'Or open {address} and enter the code',
  code: 'Code',
  mac: 'MAC address',
  connecting: 'Connecting to the server…',
  waiting: 'Connected, waiting to be paired',
  offline: 'No connection to the server. Trying again…',
  expiredTitle: 'This screen has expired',
  expiredContact: 'Please contact {merchant} to go on using it',
  expiredDealer: 'Please contact your dealer to go on using it',
  nothing: 'Nothing is scheduled now',
  downloading: 'Downloading {percent} %',
  insecure: 'Not a secure connection: nothing can be stored here, playing from the network',
};

export type Texts = Record<keyof typeof texts, string>;
export default texts;
