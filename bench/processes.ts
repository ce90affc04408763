import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, statOf } from '../e2e/children.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TICKS_A_SECOND = 100;
const STOP_LIMIT_MS = 120_000;
const IDLE_MS = 100;

/** A program of ours or a floor, in a process of its own: what it costs is its own, too. */
export interface Program {
  /** Address it listens on, as printed by itself. */
  origin: string;
  pid: number;
  child: ChildProcess;
  /** Answers the code it ended with; at once by `SIGKILL`. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Runs a TypeScript program until it prints an address. */
export async function startProgram(file: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Promise<Program> {
  const child = spawn(process.execPath, [...args, path.join(ROOT, file)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'error', ...env },
  });
  const ended = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  };
  const { stdout } = child;
  if (!stdout) throw new Error('what it prints is piped here');
  let said = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const origin = /http:\/\/[\w.]+:\d+/.exec(said)?.[0];
    if (origin) {
      stdout.resume();
      return { origin, pid: child.pid ?? 0, child, stop };
    }
  }
  throw new Error(`${file} did not start: ${said}`);
}

const PASSWORD = 'password-of-benches-1';
/** As `npm start` runs it, and options of Node to try. */
const NODE_ARGS = [
  '--disable-warning=ExperimentalWarning',
  `--import=${path.join(ROOT, 'server/src/platform/process/strip-types.mjs')}`,
  ...(process.env['BENCH_NODE'] ?? '').split(' ').filter(Boolean),
];

/** The product, with a database of its own below `folder` unless `env` names one. */
export const startAms = (folder: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Promise<Program> =>
  startProgram(
    'server/src/main.ts',
    {
      PORT: '0',
      AMS_DATA: path.join(folder, 'data'),
      AMS_CAPTCHA: 'off',
      // One account makes the calls of a whole installation.
      AMS_CALLS_PER_MINUTE: '0',
      AMS_ADMIN_PASSWORD: PASSWORD,
      ...env,
    },
    [...NODE_ARGS, ...args],
  );

/** A session as a browser stores it. */
export interface Session {
  token: string;
  /** Epoch seconds. */
  expires: number;
  userId: string;
}

/** Signs in, by default as the first account. */
export async function openSession(origin: string, username = 'admin'): Promise<Session> {
  const reply = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  const { token, expires_in: seconds, current = '{}' } = Object.fromEntries(reply.headers);
  if (!token) throw new Error(`no session: ${await reply.text()}`);
  const user = JSON.parse(decodeURIComponent(current)) as { id: string };
  return { token, expires: Math.floor(Date.now() / 1000) + Number(seconds), userId: user.id };
}

/** The token of a session, by default of the first account. */
export const login = async (origin: string, username = 'admin'): Promise<string> =>
  (await openSession(origin, username)).token;

/** Fields of `/proc/PID/stat` after the name, counted from 0 (proc_pid_stat(5)). */
const UTIME = 11;
const CUTIME = 13;
const CSTIME = 14;

const secondsOf = (ticks: string[]): number => ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS_A_SECOND;

/** Seconds of processor that a process used so far, 0 when it has ended; its children do not count. */
export const cpuSeconds = (pid: number): number => secondsOf(statOf(pid).slice(UTIME, CUTIME));

/** Waits until a process has used no processor for a moment. */
export async function untilIdle(pid: number): Promise<void> {
  for (let used = -1; used !== cpuSeconds(pid); await sleep(IDLE_MS)) used = cpuSeconds(pid);
}

/** Seconds of processor that a process and its children used so far, with those of the children that have ended. */
export const familySeconds = (pid: number): number =>
  secondsOf([pid, ...childrenOf(pid)].flatMap((each) => statOf(each).slice(UTIME, CSTIME + 1)));

/** With these a program can be asked for the memory it needs. */
export const COLLECTING = ['--expose-gc', '--import', './e2e/collect.ts'];

/** Bytes of memory that a program holds when its garbage is collected, and of objects in it. */
interface Memory {
  collected: number;
  heap: number;
}

/** The memory of a program that was started `COLLECTING`. */
export async function memoryOf({ child }: Program): Promise<Memory> {
  const answer = once(child, 'message') as Promise<[Memory]>;
  child.send('collect');
  const [memory] = await answer;
  return memory;
}

/** Bytes of memory that a program holds when its garbage is collected; it was started `COLLECTING`. */
export async function memoryBytes(program: Program): Promise<number> {
  const { collected } = await memoryOf(program);
  return collected;
}
