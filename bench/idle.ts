import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, verdict } from './figures.ts';
import { childrenOf, nameOf } from '../e2e/children.ts';
import { startAms } from './processes.ts';

/** Connections that the start needed are closed by then, and V8 has collected the garbage of the start. */
const SETTLE_MS = Number(process.env['BENCH_SETTLE'] ?? '60') * 1000;
const GOAL_MB = 180;
const MINUTE_MS = 60_000;
const LOOKS = 12;
const KB_A_MB = 1024;

/** kB of one process: what it has for itself, its part of memory that is shared, and its pages of each file. */
interface Memory {
  own: number;
  shared: number;
  files: Map<string, number>;
}

/** One mapping of `/proc/PID/smaps` (proc_pid_smaps(5)): its file, if any, and its figures in kB. */
interface Mapping {
  file: string;
  kb: Record<string, number>;
}

function mappingsOf(pid: number): Mapping[] {
  const mappings: Mapping[] = [];
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const head = /^[\da-f]+-[\da-f]+ \S+ \S+ \S+ \d+ *(.*)$/.exec(line);
    if (head) mappings.push({ file: head[1] ?? '', kb: {} });
    const [, name, kb] = /^(\w+): +(\d+) kB$/.exec(line) ?? [];
    const current = mappings.at(-1);
    if (name !== undefined && current) current.kb[name] = Number(kb);
  }
  return mappings;
}

function memoryOf(pid: number): Memory {
  const memory: Memory = { own: 0, shared: 0, files: new Map() };
  for (const { file, kb } of mappingsOf(pid)) {
    const { Rss: resident = 0, Pss: proportional = 0, Anonymous: anonymous = 0 } = kb;
    // The buffers of PostgreSQL: each process has its part, nobody else any.
    if (/^\/dev\/(zero|shm)|^\/SYSV|^\/memfd/.test(file)) memory.shared += proportional;
    else if (file.startsWith('/')) {
      memory.own += anonymous;
      memory.files.set(file, (memory.files.get(file) ?? 0) + resident - anonymous);
    } else memory.own += proportional;
  }
  return memory;
}

/**
 * MB of these processes together. Pages of programs count once and in full, whoever else runs the same program on this
 * computer; `Pss` of the whole would divide them.
 */
function together(pids: readonly number[]): number {
  const memories = pids.map(memoryOf);
  const files = new Map<string, number>();
  for (const [file, kb] of memories.flatMap((memory) => [...memory.files])) {
    files.set(file, Math.max(files.get(file) ?? 0, kb));
  }
  const kb = memories.reduce((sum, { own, shared }) => sum + own + shared, 0);
  return [...files.values()].reduce((sum, each) => sum + each, kb) / KB_A_MB;
}

/** MB of the server and its PostgreSQL at one moment. */
interface Look {
  total: number;
  text: string;
}

function look(pid: number): Look {
  const children = childrenOf(pid);
  const postgres = children.filter((child) => nameOf(child) === 'postgres');
  const total = together([pid, ...children]);
  const own = memoryOf(pid).own / KB_A_MB;
  const text = [
    `Node ${together([pid]).toFixed(0)} MB, of which its own ${own.toFixed(0)} MB`,
    `PostgreSQL ${together(postgres).toFixed(0)} MB with ${postgres.length} processes`,
    `together ${total.toFixed(0)} MB`,
  ].join('; ');
  return { total, text };
}

/** Memory of a server with an empty database that has nothing to do, over a minute: some jobs run at each full minute. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  // The first start after a change removes the types of its code.
  const first = await startAms(folder);
  await first.stop();
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  await sleep(SETTLE_MS);
  const looks: Look[] = [];
  for (let n = 0; n < LOOKS; n += 1) {
    looks.push(look(ams.pid));
    await sleep(MINUTE_MS / LOOKS);
  }
  const sorted = looks.toSorted((one, other) => one.total - other.total);
  const [median, most] = [sorted[LOOKS / 2], sorted.at(-1)];
  if (!median || !most) throw new Error('not looked at');
  console.log(`a server with an empty database, in the minute from ${SETTLE_MS / 1000} s after its start (${load()})`);
  console.log(`  median: ${median.text}, goal ${GOAL_MB}: ${verdict(median.total <= GOAL_MB)}`);
  console.log(`  most, after a full minute: ${most.text}`);
}
