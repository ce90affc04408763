import { expect, test } from 'vitest';
import { runSequence } from '../../test/approval-model.ts';
import { type Walked, walkOrders } from '../../test/approval-tree.ts';
import { makeWorld } from '../../test/approval-world.ts';
import { startTestServer } from '../../test/server.ts';
import { openUndoable } from '../../test/undoable.ts';

/** `npm run bench -- approval` sets these. */
const SEQUENCES = Number(process.env['AMS_SEQUENCES'] ?? 30);
/** Beginnings from which every order of the operations is tried, and the longest of these orders. */
const BEGINNINGS = Number(process.env['AMS_BEGINNINGS'] ?? 1);
const DEPTH = Number(process.env['AMS_DEPTH'] ?? 3);
const FIRST = Number(process.env['AMS_FIRST_SEED'] ?? 5);
/** Dealers that work at the same time on one server, each with sequences of its own. */
const WORLDS = 3;
/** Servers whose orders are tried at the same time: each is one transaction, which waits for its database. */
const SERVERS = Number(process.env['AMS_SERVERS'] ?? 1);
const ORDERS = (6 ** (DEPTH + 1) - 6) / 5;
const PATIENCE_MS = 240_000 + (SEQUENCES + BEGINNINGS * ORDERS) * 2000;

const start = () => startTestServer({ AMS_CAPTCHA: 'off', AMS_CALLS_PER_MINUTE: '0' });

test(
  'whatever is requested, edited, approved, revoked, reassigned and deleted at the same time, only what was approved reaches a manifest',
  async () => {
    const server = await start();
    let [next, shown] = [FIRST, 0];
    const work = async (): Promise<void> => {
      const world = await makeWorld(server);
      for (let seed = next++; seed < FIRST + SEQUENCES; seed = next++) shown += await runSequence(world, seed);
    };
    await Promise.all(Array.from({ length: WORLDS }, work));
    // Otherwise nothing was tried.
    expect(shown).toBeGreaterThan(SEQUENCES);
  },
  PATIENCE_MS,
);

test(
  'in every order of request, edit, approve, revoke, reassign and delete, only what was approved reaches a manifest',
  async () => {
    const all: Walked = { sequences: 0, longest: 0, shown: 0 };
    let next = FIRST;
    const work = async (): Promise<void> => {
      const server = await start();
      const world = await makeWorld(server);
      const undoable = await openUndoable(server);
      for (let seed = next++; seed < FIRST + BEGINNINGS; seed = next++) {
        const walked = await walkOrders(undoable, world, seed, DEPTH);
        all.sequences += walked.sequences;
        all.shown += walked.shown;
        all.longest = Math.max(all.longest, walked.longest);
        if ('AMS_BEGINNINGS' in process.env) console.log(JSON.stringify({ seed, ...walked }));
      }
      await undoable.end();
    };
    await Promise.all(Array.from({ length: SERVERS }, work));
    expect(all.sequences).toBe(BEGINNINGS * ORDERS);
    // Otherwise nothing was tried.
    expect(all.shown).toBeGreaterThan(all.sequences / 10);
  },
  PATIENCE_MS,
);
