import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from './range.ts';

const size = fc.integer({ min: 1, max: 2 ** 40 });

test('a part always lies within the bytes, for every header', () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
    fc.nat().map((first) => `bytes=${first}-`),
    fc.nat().map((last) => `bytes=-${last}`),
  );
  fc.assert(
    fc.property(header, size, (text, bytes) => {
      const part = parseRange(text, bytes);
      if (part.kind !== 'part') return;
      expect(part.range.start).toBeGreaterThanOrEqual(0);
      expect(part.range.end).toBeGreaterThanOrEqual(part.range.start);
      expect(part.range.end).toBeLessThan(bytes);
    }),
  );
});

test('consecutive parts add up to the whole', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 999 }), (bytes, step) => {
      let offset = 0;
      while (offset < bytes) {
        const part = parseRange(`bytes=${offset}-${offset + step - 1}`, bytes);
        expect(part).toMatchObject({ kind: 'part', range: { start: offset } });
        if (part.kind === 'part') offset = part.range.end + 1;
      }
      expect(offset).toBe(bytes);
      expect(parseRange(`bytes=${offset}-`, bytes)).toEqual({ kind: 'unsatisfiable' });
    }),
  );
});

test('a suffix is the last bytes, or all bytes if there are fewer', () => {
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 2 ** 41 }), (bytes, length) => {
      expect(parseRange(`bytes=-${length}`, bytes)).toEqual({
        kind: 'part',
        range: { start: Math.max(0, bytes - length), end: bytes - 1 },
      });
    }),
  );
});

test.each([
  [undefined, { kind: 'whole' }],
  ['bytes=0-0', { kind: 'part', range: { start: 0, end: 0 } }],
  ['bytes=0-9,20-29', { kind: 'whole' }],
  ['bytes=9-5', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
  ['items=0-5', { kind: 'whole' }],
  ['bytes=-0', { kind: 'unsatisfiable' }],
  ['bytes=100-', { kind: 'unsatisfiable' }],
  ['bytes=99-500', { kind: 'part', range: { start: 99, end: 99 } }],
])('%s of 100 bytes', (header, part) => expect(parseRange(header, 100)).toEqual(part));

test('an empty file has no satisfiable range', () => {
  expect(parseRange('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
  expect(parseRange('bytes=-5', 0)).toEqual({ kind: 'unsatisfiable' });
});
