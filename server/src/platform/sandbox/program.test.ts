import { text } from 'node:stream/consumers';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { type ProgramLimits, startProgram } from './program.ts';

/** Fields of `/proc/self/stat` after the name, counted from 0 (proc_pid_stat(5)). */
const NICE = 16;
const POLICY = 38;
/** sched(7). */
const SCHED = { other: 0, idle: 5 };

async function scheduled(niceness: ProgramLimits['niceness']): Promise<{ nice: number; policy: number }> {
  const { stdout } = startProgram('cat', ['/proc/self/stat'], { cpuSeconds: 10, addressMb: 1024, niceness });
  const fields = (await text(stdout))
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  return { nice: fields[NICE] ?? NaN, policy: fields[POLICY] ?? NaN };
}

test('a program has the niceness that it is given, relative to the server', async () => {
  expect(await scheduled(5)).toEqual({ nice: Math.min(getPriority() + 5, 19), policy: SCHED.other });
});

test('a program whose result nobody waits for runs only where a core has nothing else to do', async () => {
  expect(await scheduled('idle')).toMatchObject({ policy: SCHED.idle });
});
