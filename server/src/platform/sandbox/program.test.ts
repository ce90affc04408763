import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canRun, OUT_OF_CPU, type ProgramLimits, startProgram } from './program.ts';

/** Fields of `/proc/self/stat` after the name, counted from 0 (proc_pid_stat(5)). */
const NICE = 16;
const POLICY = 38;
/** sched(7). */
const SCHED_IDLE = 5;

function scheduleOf(stat: string): { nice: number; policy: number } {
  const fields = stat
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  return { nice: fields[NICE] ?? NaN, policy: fields[POLICY] ?? NaN };
}

async function scheduled(niceness: ProgramLimits['niceness']): Promise<{ nice: number; policy: number }> {
  const { stdout } = startProgram('cat', ['/proc/self/stat'], { cpuSeconds: 10, addressMb: 1024, niceness });
  return scheduleOf(await text(stdout));
}

test('a program has the niceness that it is given, relative to the server', async () => {
  const { policy } = scheduleOf(readFileSync('/proc/self/stat', 'utf8'));
  expect(await scheduled(5)).toEqual({ nice: Math.min(getPriority() + 5, 19), policy });
});

test('a program whose result nobody waits for runs only where a core has nothing else to do', async () => {
  const { nice, policy } = await scheduled('idle');
  // Where that is not allowed, it has the lowest priority.
  expect(policy === SCHED_IDLE || nice === 19).toBe(true);
});

test('a program that answers late, as on a computer that has just been started, can be run', async () => {
  const program = path.join(mkdtempSync(path.join(tmpdir(), 'ams-late-')), 'program');
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(path.dirname(program), { recursive: true });
  });
  writeFileSync(program, '#!/bin/sh\nwhile [ ! -e "$0.go" ]; do sleep 0.05; done\n', { mode: 0o755 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = canRun(program, []);
  vi.advanceTimersByTime(30_000);
  writeFileSync(`${program}.go`, '');
  expect(await answer).toBe(true);
});

/** Processes that `pid` has begun, and those that they have begun. */
function descendantsOf(pid: number): number[] {
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`));
  const children = others.filter((name) => parentOf(name) === pid).map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

function parentOf(pid: string): number {
  try {
    return Number(/\) . (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]);
  } catch {
    return 0;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return '';
  }
}

test.each(['ends', 'is ended'])('a program that %s leaves no process behind that nobody waits for', async (how) => {
  const child = startProgram('sleep', ['600'], { cpuSeconds: 10, addressMb: 1024, niceness: 0 });
  const [begun, program] = await vi.waitFor(() => {
    const pids = descendantsOf(child.pid ?? 0);
    const sleep = pids.find((pid) => commandOf(pid) === 'sleep\n');
    if (sleep === undefined || pids.length < 2) throw new Error('not all of it has begun');
    return [pids, sleep] as const;
  });
  const exited = once(child, 'exit').then(() => begun.filter((pid) => existsSync(`/proc/${pid}`)));
  if (how === 'ends') process.kill(program);
  else child.stdin.destroy();
  expect(await exited).toEqual([]);
});

const endOf = async (script: string, cpuSeconds: number): Promise<unknown> => {
  const child = startProgram('sh', ['-c', script], { cpuSeconds, addressMb: 1024, niceness: 0 });
  const [code] = await once(child, 'exit');
  return code;
};

test('a program that used up its processor time has another exit code than one that was killed from outside', async () => {
  expect(await endOf('while :; do :; done', 1)).toBe(OUT_OF_CPU);
  expect(await endOf('kill -KILL $$', 1)).toBe(137);
  expect(await endOf('exit 3', 1)).toBe(3);
});
