import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInternal } from './internal-address.ts';

/** First and last address of every range that no webhook may reach. */
const INTERNAL: [range: string, first: string, last: string][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['::/128', '::', '::'],
  ['::1/128', '::1', '::1'],
  ['::/96', '::0.0.0.2', '::255.255.255.255'],
  ['::/96 with a public IPv4 address', '::8.8.8.8', '::1.1.1.1'],
  ['::ffff:0:0/96 with internal IPv4', '::ffff:10.0.0.1', '::ffff:7f00:1'],
  ['::ffff:0:0:0/96', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['64:ff9b::/96 with internal IPv4', '64:ff9b::10.0.0.1', '64:ff9b::c0a8:1'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::/32', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::/48', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::/28', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::/28', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:200::',
  '2003::1',
  '2606:4700:4700::1111',
  '3ffe:ffff::1',
];

describe('an address', () => {
  test.each(INTERNAL)('in %s is internal', (_range, first, last) => {
    expect([isInternal(first), isInternal(last)]).toEqual([true, true]);
  });

  test.each(PUBLIC)('%s is public', (address) => {
    expect(isInternal(address)).toBe(false);
  });

  test.each(['', 'localhost', '10.0.0', '1.2.3.4.5', 'fe80::1%eth0', '2606:4700::1%eth0', ':::', '::g'])(
    '%j is none, and counts as internal',
    (text) => {
      expect(isInternal(text)).toBe(true);
    },
  );
});

const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

test('an IPv4 address is judged alike, whichever way it is written', () => {
  fc.assert(
    fc.property(bytes, (four) => {
      const dotted = four.join('.');
      expect([isInternal(`::ffff:${dotted}`), isInternal(`64:ff9b::${dotted}`)]).toEqual([
        isInternal(dotted),
        isInternal(dotted),
      ]);
    }),
  );
});

test('nothing outside 2000::/3 is public but translated IPv4', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(address.split(':')[0] || '0', 16);
      fc.pre(first < 0x2000 || first > 0x3fff);
      fc.pre(first !== 0 && first !== 0x64);
      expect(isInternal(address)).toBe(true);
    }),
  );
});
