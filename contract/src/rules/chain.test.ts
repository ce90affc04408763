import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, GivenSignature, Signature, signedText, toSignature } from './chain.ts';

test('the examples of RFC 8785: members are sorted by code units, numbers as ECMAScript writes them', () => {
  expect(
    canonicalJson({
      '\u20ac': 'Euro',
      '\r': 'CR',
      '\ufb33': 'Dalet',
      '1': 'One',
      '\ud83d\ude00': 'Smile',
      '\u0080': 'Control',
      'ö': 'o',
    }),
  ).toBe('{"\\r":"CR","1":"One","\u0080":"Control","ö":"o","€":"Euro","😀":"Smile","\ufb33":"Dalet"}');
  expect(canonicalJson([JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
  );
  expect(canonicalJson('\u20ac$\u000f\nA\'B"\\\\"/')).toBe(String.raw`"€$\u000f\nA'B\"\\\\\"/"`);
});

test('the text of a value does not depend on the order of its members and reads back as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        expect(canonicalJson(Object.fromEntries(Object.entries(value).toReversed()))).toBe(text);
      }
    }),
  );
});

test('a signed batch has its members in the order of their names', () => {
  const plays = [{ sha256: 'b', at: 'c', screen: undefined }];
  expect(signedText({ device: 'd', seq: 1, previous: null, plays })).toBe(
    '{"device":"d","plays":[{"at":"c","sha256":"b"}],"previous":null,"seq":1}',
  );
});

test('a signature is read in both alphabets of base64 and kept in one form', () => {
  const given = `${'+/'.repeat(42)}+w==`;
  expect(GivenSignature.safeParse(given).success).toBe(true);
  expect(Signature.parse(toSignature(given))).toBe(`${'-_'.repeat(42)}-w`);
  expect(GivenSignature.safeParse('A'.repeat(85) + 'B').success).toBe(false);
});
