import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Limits that the kernel enforces on a process. */
interface KernelLimits {
  cpuSeconds: number;
  /** Private writable memory; the process is refused more. */
  dataMb: number;
  /** Niceness relative to this process. */
  niceness: number;
}

/**
 * Runs `$4…` with at most `$1` seconds of processor time and `$2` KiB of data, with the niceness `$3`, and as the first
 * choice of the kernel's OOM killer. `setpriv` kills it when its parent ends. Commands that a system lacks are left out:
 * the pool measures, too.
 */
const GUARD = `
ulimit -c 0
ulimit -t "$1" 2>/dev/null
ulimit -d "$2" 2>/dev/null
nice=$3
shift 3
echo 900 2>/dev/null >/proc/self/oom_score_adj
command -v setpriv >/dev/null && exec nice -n "$nice" setpriv --pdeathsig KILL "$@"
exec nice -n "$nice" "$@"`;

const repository = path.resolve(import.meta.dirname, '../../../..');
/** With it, a child starts with three quarters of the processor time, and has 12 MB less of its own. */
const STRIP_TYPES = path.resolve(import.meta.dirname, '../process/strip-types.mjs');
/** The code that a child runs. The data folder may be in the repository, so the whole of it is not readable. */
const CODE = ['package.json', 'node_modules', 'server', 'contract']
  .map((name) => path.join(repository, name))
  // Modules are read at their real places.
  .flatMap((place) => [place, realpathSync(place)]);

/**
 * Starts a Node process that has no settings or secrets in its environment, writes no files, starts no programs and
 * reads only the code and `readable` (Node's permission model; native code is outside it).
 */
export function startGuarded(
  entry: string,
  { heapMb, readable }: { heapMb: number; readable: readonly string[] },
  { cpuSeconds, dataMb, niceness }: KernelLimits,
): ChildProcess {
  const node = [
    process.execPath,
    ...['--permission', '--allow-addons', `--max-old-space-size=${heapMb}`],
    ...['PERM0001', 'ExperimentalWarning'].map((warning) => `--disable-warning=${warning}`),
    `--import=${STRIP_TYPES}`,
    ...CODE.map((place) => `--allow-fs-read=${place}`),
    // With its star a folder need not exist yet.
    ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
    entry,
  ];
  const limits = [cpuSeconds, dataMb * 1024, niceness].map(String);
  return spawn('/bin/sh', ['-c', GUARD, 'sh', ...limits, ...node], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    cwd: repository,
    env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
  });
}
