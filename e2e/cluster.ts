import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '../server/src/platform/postgres/postgres.ts';
import { type Nginx, startNginx } from '../server/test/nginx.ts';
import { startSwift, type Swift } from '../server/test/swift.ts';
import { firstRow, movedPort, PASSWORD, ServerProcess } from './process.ts';

const quiet = { info: () => {}, warn: console.warn, error: console.error };

export interface ClusterOptions {
  files?: 's3' | 'disk';
  /** More settings of both processes. */
  settings?: Record<string, string>;
}

/** Two server processes behind nginx, which sends every request to the other one; one PostgreSQL, files in S3 or in a folder of both. */
export class Cluster {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'ams-cluster-'));
  readonly origin: string;
  readonly #port: number;
  readonly #files: 's3' | 'disk';
  readonly #settings: Record<string, string>;
  #members: ServerProcess[] = [];
  #postgres: EmbeddedPostgres | undefined;
  #swift: Swift | undefined;
  #nginx: Nginx | undefined;

  /** @param port of nginx; the two after it are the server processes' */
  constructor(port: number, { files = 's3', settings = {} }: ClusterOptions = {}) {
    this.#files = files;
    this.#settings = settings;
    this.#port = movedPort(port);
    this.origin = `http://127.0.0.1:${this.#port}`;
  }

  /** Of its database, once it was started. */
  get connection(): EmbeddedPostgres['connection'] | undefined {
    return this.#postgres?.connection;
  }

  get pid(): number {
    return this.member(0).pid;
  }

  async start(): Promise<void> {
    if (this.#members.length === 0) await this.#set();
    await Promise.all(this.#members.map((member) => member.start()));
  }

  async #set(): Promise<void> {
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
      ...this.#settings,
    };
    this.#members = [1, 2].map(
      (number) =>
        new ServerProcess(this.#port + number, {
          ...settings,
          AMS_DATA: path.join(this.folder, this.#files === 's3' ? String(number) : 'files'),
        }),
    );
    this.#nginx = await startNginx(
      this.#members.map(({ port: one }) => one),
      undefined,
      this.#port,
    );
  }

  /** Ends all server processes by SIGTERM or SIGKILL; the rest stays. */
  async stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await Promise.all(this.#members.map((member) => member.stop(signal)));
  }

  /** Ends one of the two server processes for good or for a while. */
  member(index: 0 | 1): ServerProcess {
    const member = this.#members[index];
    if (!member) throw new Error('not started');
    return member;
  }

  row(query: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined> {
    return firstRow(this.connection, query, values);
  }

  async end(): Promise<void> {
    await this.#nginx?.end();
    await this.stop();
    await Promise.all([this.#postgres?.stop(), this.#swift?.end()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
