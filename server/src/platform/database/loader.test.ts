import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inBatches } from './loader.ts';

test('every caller gets its own answer or error, and there are never more batches than allowed', async () => {
  const asked = fc.array(fc.array(fc.integer({ min: 0, max: 20 })), { maxLength: 20 });
  const limits = fc.record({ atOnce: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(asked, limits, async (turns, { atOnce, size }) => {
      let underWay = 0;
      const ask = inBatches(
        async (keys: readonly number[]) => {
          underWay += 1;
          expect(underWay).toBeLessThanOrEqual(atOnce);
          expect(keys.length).toBeLessThanOrEqual(size);
          await new Promise(setImmediate);
          underWay -= 1;
          return keys.map((key) => (key % 7 === 3 ? new Error(`no ${key}`) : key * 2));
        },
        { atOnce, size },
      );
      const answers: Promise<unknown>[] = [];
      for (const keys of turns) {
        for (const key of keys) {
          answers.push(ask(key).catch(String));
        }
        await new Promise(setImmediate);
      }
      const own = turns.flat().map((key) => (key % 7 === 3 ? `Error: no ${key}` : key * 2));
      expect(await Promise.all(answers)).toEqual(own);
    }),
  );
});

test('a caller that arrives during a batch joins the next one; a failed batch does not affect the next', async () => {
  const batches: (readonly string[])[] = [];
  const first = Promise.withResolvers<string[]>();
  const ask = inBatches(
    (keys: readonly string[]) => {
      batches.push(keys);
      return batches.length === 1 ? first.promise : Promise.resolve([...keys]);
    },
    { atOnce: 1, size: 100 },
  );
  const failing = ask('a');
  await new Promise(setImmediate);
  const later = ['b', 'c', 'd'].map(ask);
  await new Promise(setImmediate);
  expect(batches).toEqual([['a']]);
  first.reject(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  expect(await Promise.all(later)).toEqual(['b', 'c', 'd']);
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
});

test('after a batch the next one waits, and those that come meanwhile are in it; a single question does not wait', async () => {
  const batches: (readonly number[])[] = [];
  const TOOK_MS = 20;
  const ask = inBatches(
    async (keys: readonly number[]) => {
      batches.push(keys);
      await sleep(TOOK_MS);
      return [...keys];
    },
    { atOnce: 1, size: 100, restMaxMs: 60_000 },
  );
  await ask(1);
  const begun = performance.now();
  const answers = [ask(2)];
  await sleep(1);
  answers.push(ask(3));
  await Promise.all(answers);
  expect(batches).toEqual([[1], [2, 3]]);
  // Twice as long as the first batch took, and the second one.
  expect(performance.now() - begun).toBeGreaterThan(2.5 * TOOK_MS);
  await sleep(4 * TOOK_MS);
  const later = ask(4);
  await new Promise(setImmediate);
  expect(batches.at(-1)).toEqual([4]);
  expect(await later).toBe(4);
});
