import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Limits that the kernel enforces on a program. */
export interface ProgramLimits {
  cpuSeconds: number;
  addressMb: number;
  /** Niceness relative to the server; `idle`: it gets what nothing else on the computer needs. */
  niceness: number | 'idle';
}

/** The exit code of a program that used up its processor time: 128 and SIGXCPU. */
export const OUT_OF_CPU = 152;

/**
 * Runs the program in `$4…` within `$1` seconds of processor time and `$2` KiB of address space, with the niceness `$3`,
 * and as the first choice of the kernel's OOM killer; what a system lacks is left out. The server holds the input open:
 * when it ends, however it ends, the program is killed. Every process is waited for: in a container, where the server is the
 * first process, nobody else would. The kernel kills a program that used up its time as anybody else does, so the end asks
 * for the time of the processes that were waited for (fields 14 and 15 of proc_pid_stat(5) after the name, in hundredths of
 * a second). For the limit the kernel counts ticks: where much else runs, up to a fifth of a second more than was used.
 */
const GUARD = `
limit=$1
ulimit -c 0
ulimit -t "$1" 2>/dev/null
ulimit -v "$2" 2>/dev/null
case "$3" in
idle) start='nice -n 19'; chrt --idle 0 true 2>/dev/null && start='chrt --idle 0' ;;
*) start="nice -n $3" ;;
esac
shift 3
exec 3<&0
{ echo 900 >/proc/self/oom_score_adj; } 2>/dev/null
$start "$@" </dev/null 3<&- &
work=$!
{ read -r end <&3; kill -KILL "$work"; } >/dev/null 2>&1 &
exec 3<&-
wait "$work"
code=$?
{ kill "$!"; wait "$!"; } 2>/dev/null
{ [ "$code" -ne 0 ] && read -r stat </proc/$$/stat; } 2>/dev/null &&
  set -- \${stat##*) } && used=$((\${14} + \${15})) &&
  { [ "$used" -ge $((limit * 90)) ] || [ "$used" -ge $((limit * 100 - 50)) ]; } && code=${OUT_OF_CPU}
exit "$code"`;

/** Starts a program that reads uploaded content. Closing its input kills it. It sees no settings of the server. */
export function startProgram(
  program: string,
  args: string[],
  { cpuSeconds, addressMb, niceness }: ProgramLimits,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const limits = [cpuSeconds, addressMb * 1024, niceness].map(String);
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...limits, program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  // Nothing is ever written to it, but a program that ends breaks it.
  child.stdin.on('error', () => undefined);
  return child;
}

const TRIAL: ProgramLimits = { cpuSeconds: 10, addressMb: 4096, niceness: 0 };
/** A computer that has just been started is busy, and the answer holds until the server is started again. */
const TRIAL_TIMEOUT_MS = 60_000;

/** Whether a program is installed and ends without an error within a minute. */
export function canRun(program: string, args: string[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = startProgram(program, args, TRIAL);
  const timer = setTimeout(() => child.stdin.destroy(), TRIAL_TIMEOUT_MS);
  child.stdout.resume();
  child.stderr.resume();
  child.on('error', () => resolve(false));
  child.on('close', (code) => {
    clearTimeout(timer);
    resolve(code === 0);
  });
  return promise;
}
