import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { statOf } from '../children.ts';
import { percentile } from '../percentile.ts';
import { type HostileFile, hostileFiles } from '../../server/test/hostile-files/corpus.ts';
import { type Attacker, type Outcome, post } from '../../server/test/hostile-files/post.ts';
import { RealServer } from '../server.ts';
import { Operator } from './operator.ts';
import { Reporter } from './reporter.ts';

/** Effect of many hostile files on a working operator. */
export interface Hostile {
  files: number;
  /** How often which end was reached, such as `refused 415` or `failed unreadable`. */
  outcomes: Record<string, number>;
  /** Files that no end was reached for, or that the server answered with a fault of its own. */
  wrong: string[];
  /** Times of the operator's lists, home page and details, before and during the load. */
  operator: { calls: number; p50Ms: number; p99Ms: number; longestMs: number; p99BeforeMs: number };
  /** The operator's calls that were no success. */
  failed: string[];
  /** Resident memory when unused memory was returned, after each pass of all files; `highest` is measured meanwhile. */
  memoryMb: { before: number; highest: number; after: number[] };
  /** Whether the process that was started is the one that runs. */
  restarted: boolean;
  seconds: number;
}

const ATTACKERS = 4;
const CALLS_BEFORE = 200;
const CALL_PAUSE_MS = 20;
const PASSES = 2;
const PATIENCE_MS = 300_000;
/** So often a process is asked to return unused memory, and so many calls of the operator follow each time. */
const COLLECTIONS = 5;
const CALLS_BETWEEN = 50;
const MEGABYTE = 2 ** 20;
const SERVER_FAULT = 500;

/** The status of a process (proc(5)); empty after its end. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

const memoryMb = (pid: number): number =>
  Math.round((Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0) * 1024) / MEGABYTE);

/** Field of `statOf`. */
const START = 19;
/** When a process was started, in ticks since the system was: another process with its id has another. */
const startOf = (pid: number): string | undefined => statOf(pid)[START];

/** Lists, the home page and details, one after the other; returns the duration of each. */
async function work(operator: Operator, device: string, goesOn: (calls: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  const { calls } = operator;
  const turns: (() => Promise<unknown>)[] = [
    () => calls.devices.list(),
    () => calls.home.summary(),
    () => calls.devices.get({ params: { id: device } }),
    () => calls.files.list(),
    () => calls.users.list(),
  ];
  while (goesOn(times.length)) {
    const begin = performance.now();
    // Failures are in `operator.failed`.
    await turns[times.length % turns.length]?.().catch(() => undefined);
    times.push(performance.now() - begin);
    await sleep(CALL_PAUSE_MS);
  }
  return times;
}

class Attack {
  readonly outcomes: Record<string, number> = {};
  readonly wrong: string[] = [];
  readonly #files: readonly HostileFile[];

  constructor(files: readonly HostileFile[]) {
    this.#files = files;
  }

  /** Several at once, each with the next file when its last has come to an end. */
  async run(attacker: Attacker): Promise<void> {
    const left = [...this.#files];
    await Promise.all(Array.from({ length: ATTACKERS }, () => this.#postAll(attacker, left)));
  }

  async #postAll(attacker: Attacker, left: HostileFile[]): Promise<void> {
    for (let file = left.shift(); file; file = left.shift()) {
      const { name } = file;
      await post(attacker, file, PATIENCE_MS).then(
        (outcome) => this.#note(name, outcome),
        (error: unknown) => this.wrong.push(`${name}: ${String(error)}`),
      );
    }
  }

  #note(name: string, outcome: Outcome): void {
    const words = wordsOf(outcome);
    this.outcomes[words] = (this.outcomes[words] ?? 0) + 1;
    const isWrong = outcome.kind === 'processing' || (outcome.kind === 'refused' && outcome.status >= SERVER_FAULT);
    if (isWrong) this.wrong.push(`${name}: ${words}`);
  }
}

function wordsOf(outcome: Outcome): string {
  if (outcome.kind === 'refused') return `refused ${outcome.status} ${outcome.error}`;
  return outcome.kind === 'failed' ? `failed ${outcome.failure}` : outcome.kind;
}

/** The least memory that the process needs when it returns what it does not use (`e2e/collect.ts`). */
async function settle(operator: Operator, device: string, pid: number): Promise<number> {
  let least = memoryMb(pid);
  for (let collection = 1; collection <= COLLECTIONS; collection += 1) {
    process.kill(pid, 'SIGUSR2');
    await work(operator, device, (calls) => {
      least = Math.min(least, memoryMb(pid));
      return calls < CALLS_BETWEEN;
    });
  }
  return least;
}

const summaryOf = (before: number[], times: number[]): Hostile['operator'] => ({
  calls: times.length,
  p50Ms: Math.round(percentile(times, 0.5)),
  p99Ms: Math.round(percentile(times, 0.99)),
  longestMs: Math.round(Math.max(...times)),
  p99BeforeMs: Math.round(percentile(before, 0.99)),
});

async function attack(server: RealServer, files: readonly HostileFile[]): Promise<Hostile> {
  const begin = performance.now();
  const operator = new Operator(server.origin);
  await operator.login();
  const reporter = new Reporter(server.origin);
  const device = await reporter.pair(operator);
  const before = await work(operator, device, (calls) => calls < CALLS_BEFORE);
  const { pid } = server;
  const memory: Hostile['memoryMb'] = { before: await settle(operator, device, pid), highest: 0, after: [] };
  const started = startOf(pid);
  const attacking = new Attack(files);
  const times: number[] = [];
  for (let pass = 1; pass <= PASSES; pass += 1) {
    let over = false;
    const attacked = attacking
      .run({ url: server.origin, token: operator.token, secret: reporter.secret })
      .finally(() => (over = true));
    const meanwhile = await work(operator, device, () => {
      memory.highest = Math.max(memory.highest, memoryMb(pid));
      return !over;
    });
    await attacked;
    times.push(...meanwhile);
    memory.after.push(await settle(operator, device, pid));
  }
  return {
    files: files.length,
    outcomes: attacking.outcomes,
    wrong: attacking.wrong,
    operator: summaryOf(before, times),
    failed: operator.failed,
    memoryMb: memory,
    restarted: startOf(pid) !== started,
    seconds: Math.round((performance.now() - begin) / 1000),
  };
}

/** Posts files of the corpus twice while an operator works. */
export async function hostile(port: number, files = hostileFiles()): Promise<Hostile> {
  const server = new RealServer({
    port,
    ownPostgres: true,
    settings: {
      NODE_OPTIONS: '--expose-gc --import ./e2e/collect.ts',
      // Without a limit, malloc keeps up to 64 MB of what was freed, some runs more and some less.
      MALLOC_TRIM_THRESHOLD_: '131072',
    },
  });
  try {
    await server.start();
    return await attack(server, files);
  } finally {
    await server.end();
  }
}

/** Goal for an operator's p99, in ms. */
const P99_MAX_MS = 200;
/** Memory that a process with initially empty caches may retain, and growth by a second pass. */
const KEPT_MAX_MB = 64;
const GROWTH_MAX = 1.1;

/** Violations, as text. */
function missesOf({ wrong, failed, restarted, operator, memoryMb: memory }: Hostile): string[] {
  const [first = 0, last = 0] = [memory.after[0], memory.after.at(-1)];
  return [
    ...(wrong.length > 0 ? [`${wrong.length} files came to no good end`] : []),
    ...(failed.length > 0 ? [`${failed.length} calls of the operator failed`] : []),
    ...(restarted ? ['the server was restarted'] : []),
    ...(operator.p99Ms >= P99_MAX_MS ? [`the operator waited ${operator.p99Ms} ms`] : []),
    ...(first - memory.before > KEPT_MAX_MB ? [`${first - memory.before} MB were kept`] : []),
    ...(last > first * GROWTH_MAX ? [`memory grew from ${first} to ${last} MB with the same files`] : []),
  ];
}

/** @param every posts every so manieth file only */
export default async function run(every = 1): Promise<void> {
  const found = await hostile(
    4725,
    hostileFiles().filter((_, index) => index % every === 0),
  );
  console.dir(found, { depth: null, maxArrayLength: null });
  const misses = missesOf(found);
  console.log(misses.length === 0 ? 'as it should be' : `NOT as it should be: ${misses.join('; ')}`);
  if (misses.length > 0) process.exitCode = 1;
}
