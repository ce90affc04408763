import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clock, COMPILED } from '../server/test/programs.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const LOOK_MS = 100;

/** Of the first account. */
export const PASSWORD = 'password-of-tests-1';

/** A story's port; `AMS_TEST_PORTS` moves them all, for two checkouts that test at the same time. */
export const movedPort = (port: number): number => port + Number(process.env['AMS_TEST_PORTS'] ?? 0);

/** A server process that can be ended and started again. */
export class ServerProcess {
  readonly port: number;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;

  /** @param settings its environment, as the README names them */
  constructor(port: number, settings: Record<string, string>) {
    this.port = port;
    this.#settings = settings;
    // However the test ends, its server ends with it.
    process.once('exit', () => this.#process?.kill());
  }

  /** Of the process that runs. */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('not started');
    return pid;
  }

  async start(): Promise<void> {
    const { PATH, HOME } = process.env;
    const running = spawn(process.execPath, ['server/src/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH, HOME, ...clock(), ...COMPILED, PORT: String(this.port), LOG_LEVEL: 'fatal', ...this.#settings },
    });
    this.#process = running;
    while (!(await this.#ready())) {
      if (running.exitCode !== null) throw new Error('the server did not start');
      await sleep(LOOK_MS);
    }
  }

  /** Ends it by SIGTERM or SIGKILL. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  }

  #ready(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** The first row of a query, on a connection of its own. */
export async function firstRow(
  connection: pg.ClientConfig | undefined,
  query: string,
  values: unknown[],
): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(query, values);
    return rows[0];
  } finally {
    await client.end();
  }
}
