import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RESERVE_BYTES, isComplete, plan } from './plan.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const file = fc.record({
  sha256: fc.constantFrom(...names),
  bytes: fc.integer({ min: 0, max: 50 * 2 ** 20 }),
  mime: fc.constant('video/mp4'),
  url: fc.constant('/media/x'),
});
const stored = fc.uniqueArray(
  fc.record({
    sha256: fc.constantFrom(...names),
    bytes: fc.integer({ min: 0, max: 50 * 2 ** 20 }),
    state: fc.constantFrom('part' as const, 'whole' as const),
    at: fc.nat(100),
  }),
  { selector: (entry) => entry.sha256 },
);
const known = fc.record({
  files: fc.uniqueArray(file, { selector: (entry) => entry.sha256 }),
  stored,
  keep: fc.uniqueArray(fc.constantFrom(...names)).map((list): ReadonlySet<string> => new Set(list)),
  onScreen: fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 2 })
    .map((list): ReadonlySet<string> => new Set(list)),
  freeBytes: fc.option(fc.nat(200 * 2 ** 20), { nil: undefined }),
});

test('of files that may wait none is fetched, and none is dropped', () => {
  const first = fc.uniqueArray(fc.constantFrom(...names)).map((list): ReadonlySet<string> => new Set(list));
  fc.assert(
    fc.property(known, first, (input, now) => {
      const todo = plan({ ...input, first: now });
      expect(todo.fetch).toEqual(plan(input).fetch.filter(({ sha256 }) => now.has(sha256)));
      const waiting = new Set(input.files.map(({ sha256 }) => sha256).filter((sha256) => !now.has(sha256)));
      expect(todo.drop.filter((sha256) => waiting.has(sha256))).toEqual([]);
    }),
  );
});

test('downloaded and stored files together form the manifest, in its order', () => {
  fc.assert(
    fc.property(known, (input) => {
      const todo = plan(input);
      const fetched = todo.fetch.map((entry) => entry.sha256);
      const missing = input.files.filter((entry) => !isComplete([entry], input.stored));
      expect(missing.map((entry) => entry.sha256)).toEqual(fetched);
      expect(isComplete(input.files, input.stored)).toBe(fetched.length === 0);
    }),
  );
});

test('files of future programmes are never deleted, unless they must be fetched again', () => {
  fc.assert(
    fc.property(known, (input) => {
      const todo = plan(input);
      const fetched = new Set(todo.fetch.map((entry) => entry.sha256));
      const needed = new Set(input.files.map((entry) => entry.sha256));
      for (const sha of todo.drop) expect(needed.has(sha) && !fetched.has(sha)).toBe(false);
    }),
  );
});

test('playing files are deleted only if the new programme then fits; visible files are deleted last', () => {
  fc.assert(
    fc.property(known, (input) => {
      const { drop, shortBytes } = plan(input);
      const wanted = new Set(input.files.map((entry) => entry.sha256));
      const others = input.stored.filter((entry) => !wanted.has(entry.sha256));
      const given = others.filter((entry) => input.keep.has(entry.sha256) && drop.includes(entry.sha256));
      if (given.length === 0) return;
      expect(shortBytes).toBe(0);
      expect(others.every((entry) => input.keep.has(entry.sha256) || drop.includes(entry.sha256))).toBe(true);
      const left = others.filter((entry) => !drop.includes(entry.sha256));
      if (left.some((entry) => !input.onScreen.has(entry.sha256))) {
        expect(given.some((entry) => input.onScreen.has(entry.sha256))).toBe(false);
      }
    }),
  );
});

test('nothing unneeded is dropped while there is room, and the oldest goes first', () => {
  fc.assert(
    fc.property(known, (input) => {
      const todo = plan(input);
      const wanted = new Set(input.files.map((entry) => entry.sha256));
      const unneeded = input.stored.filter((entry) => !wanted.has(entry.sha256) && !input.keep.has(entry.sha256));
      const dropped = unneeded.filter((entry) => todo.drop.includes(entry.sha256));
      const left = unneeded.filter((entry) => !todo.drop.includes(entry.sha256));
      for (const entry of dropped) for (const other of left) expect(entry.at).toBeLessThanOrEqual(other.at);
      expect(todo.shortBytes > 0 && left.length > 0).toBe(false);
      const roomy = (input.freeBytes ?? Infinity) >= todo.totalBytes + RESERVE_BYTES;
      expect(roomy && dropped.length > 0).toBe(false);
    }),
  );
});

test('progress never exceeds the whole and is complete only when nothing is left', () => {
  fc.assert(
    fc.property(known, (input) => {
      const { doneBytes, totalBytes, fetch } = plan(input);
      expect(doneBytes).toBeLessThanOrEqual(totalBytes);
      expect(fetch.length === 0 && doneBytes < totalBytes).toBe(false);
    }),
  );
});
