import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairAddress, parseScanned } from './scanned.ts';

const octets = fc.uint8Array({ minLength: 6, maxLength: 6 }).filter((all) => new Set(all).size > 1);
const macOf = (all: Uint8Array): string => [...all].map((octet) => octet.toString(16).padStart(2, '0')).join(':');
const code = fc.stringMatching(/^\d{6}$/);

test('the address a player shows gives MAC and code, whatever its host', () => {
  fc.assert(
    fc.property(octets, code, fc.webAuthority(), (all, digits, host) => {
      const mac = macOf(all);
      expect(parseScanned(`https://${host}${pairAddress({ mac, code: digits })}`)).toEqual({ mac, code: digits });
    }),
  );
});

test('a bare MAC is read in any writing, as it stands on labels', () => {
  fc.assert(
    fc.property(octets, fc.constantFrom(':', '-', ''), fc.constantFrom('', 'MAC: ', 'mac='), (all, between, before) => {
      const mac = macOf(all);
      expect(parseScanned(before + mac.toUpperCase().replaceAll(':', between))).toEqual({ mac });
    }),
  );
});

test('what anybody else put into a code is refused and never throws', () => {
  for (const text of [
    '',
    'https://example.com/menu',
    'WIFI:S:cafe;P:secret;;',
    'https://x.io/?mac=no&code=123456',
    '4006381333931',
  ])
    expect(parseScanned(text)).toBeUndefined();
  fc.assert(fc.property(fc.string(), (text) => void parseScanned(text)));
});
