import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * IANA's registries of special-purpose IPv4 and IPv6 addresses (RFC 6890), with multicast and what is deprecated. Also
 * those that can be reached from everywhere: no webhook receiver is there.
 */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** All that is public in IPv6 (RFC 4291): everything else is unassigned, local or for special purposes. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Special ranges within it: protocols (including Teredo), documentation, 6to4, AS112. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** An IPv4 address written as IPv6 (RFC 4291), or behind a translator (RFC 6052): its last 32 bits are the target. */
const EMBEDDED_V4 = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range));

const isSpecialV4 = (address: ipaddr.IPv4): boolean => SPECIAL_V4.some((range) => address.match(range));

function isSpecialV6(address: ipaddr.IPv6): boolean {
  if (EMBEDDED_V4.some((range) => address.match(range))) {
    return isSpecialV4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return !address.match(GLOBAL_V6) || SPECIAL_V6.some((range) => address.match(range));
}

/** As groups of hexadecimal digits: ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`, which is another address. */
const inGroups = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** Whether an address is not on the public internet. Invalid addresses and those with an interface count as internal. */
export function isInternal(address: string): boolean {
  if (address.includes('%')) return true;
  const version = isIP(address);
  if (version === 4) return isSpecialV4(ipaddr.IPv4.parse(address));
  return version === 0 || isSpecialV6(ipaddr.IPv6.parse(inGroups(address)));
}
