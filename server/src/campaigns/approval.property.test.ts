import { expect, test } from 'vitest';
import { runSequence } from '../../test/approval-model.ts';
import { makeWorld } from '../../test/approval-world.ts';
import { startTestServer } from '../../test/server.ts';

const SEQUENCES = Number(process.env['AMS_SEQUENCES'] ?? 50);
/** Dealers that work at the same time on one server, each with sequences of its own. */
const WORLDS = Number(process.env['AMS_WORLDS'] ?? 3);
const FIRST = Number(process.env['AMS_FIRST_SEED'] ?? 1);
const PATIENCE_MS = 240_000 + SEQUENCES * 2000;
const TOLD_EVERY = 1000;

test(
  'whatever is requested, edited, approved, revoked, reassigned and deleted in which order, only what was approved reaches a manifest',
  async () => {
    const server = await startTestServer({ AMS_CAPTCHA: 'off' });
    let [next, shown] = [FIRST, 0];
    const work = async (): Promise<void> => {
      const world = await makeWorld(server);
      for (let seed = next++; seed < FIRST + SEQUENCES; seed = next++) {
        shown += await runSequence(world, seed);
        if (seed % TOLD_EVERY === 0) console.log(`${seed - FIRST + 1} sequences`);
      }
    };
    await Promise.all(Array.from({ length: WORLDS }, work));
    // Otherwise nothing was tried.
    expect(shown).toBeGreaterThan(SEQUENCES);
  },
  PATIENCE_MS,
);
