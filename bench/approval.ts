import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { load, verdict } from './figures.ts';

const GOAL = 50_000;
const DEPTH = 4;
/** Orders of one to four of the six operations. */
const ORDERS = (6 ** (DEPTH + 1) - 6) / 5;
const SEQUENCES = Number(process.env['BENCH_SEQUENCES'] ?? GOAL);
const PROCESSES = Number(process.env['BENCH_PROCESSES'] ?? availableParallelism());
const FIRST = Number(process.env['BENCH_SEED'] ?? 1);
const SERVERS = 2;
const TEST = 'server/src/campaigns/approval.property.test.ts';

const Told = z.object({ seed: z.number(), sequences: z.number(), longest: z.number(), shown: z.number() });
type Told = z.output<typeof Told>;

/** Runs the test of all orders on these beginnings; what it tells of each. */
async function walk(first: number, beginnings: number, heard: (told: Told) => void): Promise<boolean> {
  const repository = path.resolve(import.meta.dirname, '..');
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs');
  const run = ['run', '--project', 'server', TEST, '--disable-console-intercept', '-t', 'in every order'];
  const running = spawn(process.execPath, [vitest, ...run], {
    cwd: repository,
    env: {
      ...process.env,
      AMS_BEGINNINGS: String(beginnings),
      AMS_DEPTH: String(DEPTH),
      AMS_FIRST_SEED: String(first),
      AMS_SERVERS: String(SERVERS),
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(running, 'exit');
  for await (const line of createInterface(running.stdout)) {
    if (line.startsWith('{"seed"')) heard(Told.parse(JSON.parse(line)));
    else if (/seed|rror/.test(line)) console.log(line);
  }
  return (await ended)[0] === 0;
}

/**
 * Generated sequences of request, edit, approve, revoke, reassign and delete, in processes with servers of their own:
 * from each beginning every order of up to four operations. After each step the manifests of all devices are read.
 */
export default async function approval(): Promise<void> {
  const beginnings = Math.ceil(SEQUENCES / ORDERS / PROCESSES);
  const start = performance.now();
  const all = { sequences: 0, longest: 0, shown: 0 };
  const ends = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) =>
      walk(FIRST + n * beginnings, beginnings, ({ sequences, longest, shown }) => {
        all.sequences += sequences;
        all.shown += shown;
        all.longest = Math.max(all.longest, longest);
        console.log(`${all.sequences} after ${((performance.now() - start) / 1000).toFixed(0)} s`);
      }),
    ),
  );
  const isClean = ends.every(Boolean);
  console.log(
    `${all.sequences} sequences of up to ${all.longest} steps, ${all.shown} with something on a device at their end, ${((performance.now() - start) / 1000).toFixed(0)} s; ${load()}`,
  );
  console.log(
    `contents in a manifest that were not approved: ${isClean ? 0 : 'at least 1'}, goal 0 in ${GOAL}: ${verdict(isClean && all.sequences >= SEQUENCES)}`,
  );
}
