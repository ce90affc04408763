import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** PostgreSQL writes what it has in memory first. */
const END_LIMIT_MS = 120_000;
const LOOK_MS = 100;
/** Counted from 0 after the name (proc_pid_stat(5)). */
const STATE = 0;
const PARENT = 1;

/** The fields of `/proc/PID/stat` after the name; empty for a process that has ended. */
export function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** The name of a program; empty when it has ended. */
export function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The processes that a process started and those that they started, as far as they run. */
export function childrenOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((child) => [Number(child), Number(statOf(Number(child))[PARENT])] as const);
  const below = (parent: number): number[] =>
    parents.filter(([, each]) => each === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Whether a process runs; one that has ended is there until its parent notices. */
export const isRunning = (pid: number): boolean => ![undefined, 'Z', 'X'].includes(statOf(pid)[STATE]);

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Ends what this process started, and returns when it is gone. */
function endChildren(): void {
  const children = childrenOf(process.pid).map((pid) => ({ pid, isDatabase: nameOf(pid) === 'postgres' }));
  for (const { pid, isDatabase } of children) signalIfThere(pid, isDatabase ? 'SIGINT' : 'SIGKILL');
  const limit = Date.now() + END_LIMIT_MS;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (Date.now() < limit && children.some(({ pid }) => isRunning(pid))) Atomics.wait(pause, 0, 0, LOOK_MS);
}

/**
 * From now on, what this process started ends with it, however it ends: by an error, Ctrl-C or a library that exits. A
 * PostgreSQL would otherwise stay for good. `afterwards` is done when all is gone.
 */
export function endWithChildren(afterwards: () => void = () => undefined): void {
  process.once('exit', () => {
    endChildren();
    afterwards();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
