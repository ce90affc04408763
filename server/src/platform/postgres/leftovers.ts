import { execFile } from 'node:child_process';
import { readFile, readdir, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PostgresError } from './error.ts';
import { SOCKET_PORT } from './socket.ts';
import { until } from './until.ts';

const run = promisify(execFile);

const FAST_SHUTDOWN_MS = 60_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * Ends a PostgreSQL that outlived its server on the same `cluster`, in an orderly way: its
 * transactions are rolled back or durable, and ours then starts with our settings. Answers
 * whether there was one. The caller holds the folder's lock, so it cannot belong to a living server.
 */
export async function stopLeftovers(cluster: string): Promise<boolean> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const found = await processesIn(cluster);
  if (found.length > 0) {
    const postmaster = await recordedPid(pidFile);
    // Fast shutdown. Children without a postmaster end by themselves; SIGQUIT only hastens them.
    if (postmaster !== undefined && found.includes(postmaster)) signal([postmaster], 'SIGINT');
    else signal(found, 'SIGQUIT');
    await insist(cluster);
  }
  for (const file of [pidFile, path.join(cluster, `.s.PGSQL.${SOCKET_PORT}.lock`)]) await dropForeignPid(file);
  return found.length > 0;
}

async function insist(cluster: string): Promise<void> {
  const gone = async () => (await processesIn(cluster)).length === 0;
  if (await until(gone, FAST_SHUTDOWN_MS)) return;
  // The write-ahead log makes both safe: what was committed is recovered at the start.
  for (const stronger of ['SIGQUIT', 'SIGKILL'] as const) {
    signal(await processesIn(cluster), stronger);
    if (await until(gone, IMMEDIATE_SHUTDOWN_MS)) return;
  }
  throw new PostgresError(`A PostgreSQL left running on ${cluster} cannot be stopped`);
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  }
}

/**
 * PostgreSQL takes any living process with the number in its lock files for itself. In a container
 * numbers repeat at each start, and a killed process that nobody has waited for counts as living,
 * so a file that names one is removed: nobody uses the cluster by now, as `processesIn` has shown.
 */
async function dropForeignPid(pidFile: string): Promise<void> {
  const pid = await recordedPid(pidFile);
  if (pid !== undefined && isAlive(pid)) await rm(pidFile, { force: true });
}

async function recordedPid(pidFile: string): Promise<number | undefined> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Every process of PostgreSQL works in the folder of its cluster: that is how they are known. */
async function processesIn(cluster: string): Promise<number[]> {
  const everything = await readdir('/proc').catch(() => undefined);
  if (!everything) return postmasterWithoutProc(cluster);
  const pids = everything.filter((name) => /^\d+$/.test(name));
  const checked = await Promise.all(pids.map(async (pid) => ((await worksIn(pid, cluster)) ? Number(pid) : 0)));
  return checked.filter((pid) => pid > 0);
}

async function worksIn(pid: string, cluster: string): Promise<boolean> {
  try {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8');
    return name.startsWith('postgres') && (await readlink(`/proc/${pid}/cwd`)) === cluster;
  } catch {
    return false;
  }
}

/** macOS: only the postmaster can be identified. */
async function postmasterWithoutProc(cluster: string): Promise<number[]> {
  const pid = await recordedPid(path.join(cluster, 'postmaster.pid'));
  if (pid === undefined) return [];
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster) ? [pid] : [];
}
