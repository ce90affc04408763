import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../src/platform/postgres/until.ts';

export const repository = path.resolve(import.meta.dirname, '../..');

export const isRoot = process.getuid?.() === 0;

export interface Account {
  uid: number;
  gid: number;
}

export interface Program {
  child: ChildProcess;
  /** Everything it has written so far, both streams. */
  output(): string;
  /** Settles when it has written something that matches. Rejects when it ends before. */
  says(pattern: RegExp): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

/** The clock and zone of this process, which programs with an environment of their own share (`npm run test:clocks`). */
export const clock = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(TZ|LD_PRELOAD|FAKETIME.*)$/.test(name)));

/** Where Node keeps the code that it compiled: each further start of a server takes 0.6 s less of a processor. */
export const COMPILED = { NODE_COMPILE_CACHE: path.join(repository, 'node_modules/.cache/compiled') };

/** Starts a program whose output the test waits for. */
export function start(command: string, args: string[], { env, ...options }: SpawnOptions = {}): Program {
  const child = spawn(command, args, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: env ? { ...clock(), ...COMPILED, ...env } : { ...process.env, ...COMPILED },
  });
  let text = '';
  const listen = (chunk: Buffer) => {
    text += chunk.toString();
    child.emit('words');
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const says = async (pattern: RegExp) => {
    const end = ended.then((how) => ({ how }));
    while (!pattern.test(text)) {
      const result = await Promise.race([once(child, 'words'), end]);
      if ('how' in result && !pattern.test(text)) throw new Error(`Ended (${result.how}) without ${pattern}:\n${text}`);
    }
  };
  return { child, output: () => text, says, ended };
}

/** A user without any right of its own; made when missing. Root only. */
export function ordinaryUser(): Account {
  const name = 'ams-test';
  const ids = () => ({
    uid: Number(execFileSync('id', ['-u', name], { stdio: ['ignore', 'pipe', 'ignore'] })),
    gid: Number(execFileSync('id', ['-g', name], { stdio: ['ignore', 'pipe', 'ignore'] })),
  });
  try {
    return ids();
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
    return ids();
  }
}

/** A new folder that only its owner can enter. */
export function closedFolder(owner?: Account): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-closed-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** Numbers of the processes that work in `folder` or below, as PostgreSQL does, or have it among their settings. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isWithin(folder, pid) || hasSetting(folder, pid))
    .map(Number);
}

function isWithin(folder: string, pid: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

function hasSetting(folder: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`=${folder}\0`);
  } catch {
    return false;
  }
}

/** Kills these processes; those that have ended meanwhile, as children of killed ones do, are none the worse. */
export function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Ends programs and removes folders, with whatever a test that failed has left in them. Both lists are empty then. */
export async function cleanUp(programs: Program[], folders: string[]): Promise<void> {
  for (const { child, ended } of programs.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
  for (const folder of folders.splice(0)) {
    killAll(processesOf(folder));
    await isDeserted(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

const DESERTED_MS = 20_000;

/** Whether no process uses it any more, within some seconds. */
export const isDeserted = (folder: string): Promise<boolean> =>
  until(() => processesOf(folder).length === 0, DESERTED_MS);

/** A folder with the whole product that `account` can read: the repository itself when it is open to it. */
export function checkoutFor(account: Account, makeFolder: () => string): string {
  try {
    execFileSync('test', ['-r', path.join(repository, 'package.json')], account);
    return repository;
  } catch {
    const folder = makeFolder();
    execFileSync('cp', ['-a', 'package.json', 'contract', 'server', 'node_modules', folder], { cwd: repository });
    chmodSync(folder, 0o755);
    return folder;
  }
}
