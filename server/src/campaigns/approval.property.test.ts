import { expect, test } from 'vitest';
import { makeWorld, runSequence } from '../../test/approval-model.ts';
import { startTestServer } from '../../test/server.ts';

const SEQUENCES = Number(process.env['AMS_SEQUENCES'] ?? 50);
const PATIENCE_MS = 240_000 + SEQUENCES * 2000;

test(
  'whatever is requested, edited, approved, revoked, reassigned and deleted in which order, only what was approved reaches a manifest',
  async () => {
    const server = await startTestServer({ AMS_CAPTCHA: 'off' });
    const world = await makeWorld(server);
    let shown = 0;
    for (let seed = 1; seed <= SEQUENCES; seed += 1) shown += await runSequence(world, seed);
    // Otherwise nothing was tried.
    expect(shown).toBeGreaterThan(SEQUENCES);
  },
  PATIENCE_MS,
);
