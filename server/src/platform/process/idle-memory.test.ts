import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Lets the room for new objects grow, prints its MiB, and then those that are left once it is small, however long that takes. */
const PROGRAM = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { getHeapSpaceStatistics } from 'node:v8';
  import { giveBackWhenIdle } from '${new URL('idle-memory.ts', import.meta.url).href}';
  const room = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  let peak = 0;
  for (let kept = []; peak <= 16; kept.push({})) {
    peak = Math.max(peak, room());
    if (kept.length > 100_000) kept = [];
  }
  console.log(peak);
  giveBackWhenIdle({ lookMs: 200, idle: 0.5 });
  while (room() > 4) await sleep(50);
  console.log(room());
`;

/**
 * Makes old garbage without much room for new objects, and works through `BUSY` looks; prints the MiB in use before, after
 * that work, and when it has been idle long enough.
 */
const OLD_GARBAGE = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { getHeapStatistics } from 'node:v8';
  import { giveBackWhenIdle } from '${new URL('idle-memory.ts', import.meta.url).href}';
  const LOOK_MS = 200;
  const used = () => getHeapStatistics().used_heap_size / 2 ** 20;
  let kept = Array.from({ length: 4000 }, () => new Array(1000).fill(0));
  const peak = used();
  kept = undefined;
  giveBackWhenIdle({ lookMs: LOOK_MS, idle: 0.5 });
  for (let looks = 0; looks < Number(process.env.BUSY); looks += 1) {
    const until = performance.now() + LOOK_MS;
    while (performance.now() < until);
    await sleep(1);
  }
  const worked = used();
  while (used() > peak - 24) await sleep(50);
  console.log([peak, worked, used()].join());
`;

async function afterWork(looks: number): Promise<{ peak: number; worked: number; idle: number }> {
  // V8 itself would collect some seconds later in a program as small as this.
  const args = ['--max-semi-space-size=1', '--no-memory-reducer', '--input-type=module', '--eval', OLD_GARBAGE];
  const env = { ...process.env, BUSY: String(looks) };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const [peak = 0, worked = 0, idle = 0] = stdout.trim().split(',').map(Number);
  return { peak, worked, idle };
}

test('an idle process gives back old garbage, too', async () => {
  const { peak, idle } = await afterWork(0);
  expect(peak).toBeGreaterThan(30);
  expect(idle).toBeLessThan(peak - 24);
});

test('a busy process gives nothing back, because that takes time, until it is idle', async () => {
  const { peak, worked, idle } = await afterWork(5);
  expect(worked).toBeGreaterThan(peak - 8);
  expect(idle).toBeLessThan(peak - 24);
});

test('an idle process gives back the room that busy times needed', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  const [busy = 0, idle = 0] = stdout.trim().split('\n').map(Number);
  expect(busy).toBeGreaterThan(16);
  expect(idle).toBeLessThanOrEqual(4);
});
