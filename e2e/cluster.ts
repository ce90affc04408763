import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../server/src/platform/postgres.ts';
import { type Nginx, startNginx } from '../server/test/nginx.ts';
import { startSwift, type Swift } from '../server/test/swift.ts';
import { PASSWORD } from './server.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const quiet = { info: () => {}, warn: console.warn, error: console.error };

export interface ClusterOptions {
  files?: 's3' | 'disk';
  /** More settings of both processes. */
  settings?: Record<string, string>;
}

/** A server process that can be ended and started again. */
class Member {
  readonly port: number;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;

  constructor(port: number, settings: Record<string, string>) {
    this.port = port;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { PATH, HOME } = process.env;
    const running = spawn(process.execPath, ['server/src/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH, HOME, PORT: String(this.port), ...this.#settings },
    });
    this.#process = running;
    process.once('exit', () => running.exitCode === null && running.kill());
    while (!(await this.#ready())) {
      if (running.exitCode !== null) throw new Error('a server process did not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Tells it to end, or ends it without a chance to say goodbye. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
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

/** Two server processes behind nginx, which sends every request to the other one; one PostgreSQL, files in S3 or in a folder of both. */
export class Cluster {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'ams-cluster-'));
  readonly origin: string;
  readonly #port: number;
  readonly #files: 's3' | 'disk';
  readonly #settings: Record<string, string>;
  #members: Member[] = [];
  #postgres: EmbeddedPostgres | undefined;
  #swift: Swift | undefined;
  #nginx: Nginx | undefined;

  /** @param port of nginx; the two after it are the server processes' */
  constructor(port: number, { files = 's3', settings = {} }: ClusterOptions = {}) {
    this.#files = files;
    this.#settings = settings;
    this.#port = port + Number(process.env['AMS_TEST_PORTS'] ?? 0);
    this.origin = `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    [this.#postgres, this.#swift] = await Promise.all([
      startPostgres(path.join(this.folder, 'postgres'), quiet),
      this.#files === 's3' ? startSwift() : undefined,
    ]);
    const { host, user, database, port } = this.#postgres.connection;
    const settings = {
      ...this.#swift?.settings,
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      AMS_ADMIN_PASSWORD: PASSWORD,
      AMS_TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'fatal',
      ...this.#settings,
    };
    this.#members = [1, 2].map(
      (number) =>
        new Member(this.#port + number, {
          ...settings,
          AMS_DATA: path.join(this.folder, this.#files === 's3' ? String(number) : 'files'),
        }),
    );
    await Promise.all(this.#members.map((member) => member.start()));
    this.#nginx = await startNginx(
      this.#members.map(({ port: one }) => one),
      undefined,
      this.#port,
    );
  }

  /** Ends one of the two server processes for good or for a while. */
  member(index: 0 | 1): Member {
    const member = this.#members[index];
    if (!member) throw new Error('not started');
    return member;
  }

  async row(query: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined> {
    const client = new pg.Client(this.#postgres?.connection);
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(query, values);
      return rows[0];
    } finally {
      await client.end();
    }
  }

  async end(): Promise<void> {
    await this.#nginx?.end();
    await Promise.all(this.#members.map((member) => member.stop()));
    await Promise.all([this.#postgres?.stop(), this.#swift?.end()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
