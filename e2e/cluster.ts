import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '../server/src/platform/postgres.ts';
import { type Nginx, startNginx } from '../server/test/nginx.ts';
import { startSwift, type Swift } from '../server/test/swift.ts';
import { firstRow, ServerProcess } from './process.ts';
import { PASSWORD } from './server.ts';

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
      ...this.#settings,
    };
    this.#members = [1, 2].map(
      (number) =>
        new ServerProcess(this.#port + number, {
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
  member(index: 0 | 1): ServerProcess {
    const member = this.#members[index];
    if (!member) throw new Error('not started');
    return member;
  }

  row(query: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined> {
    return firstRow(this.#postgres?.connection, query, values);
  }

  async end(): Promise<void> {
    await this.#nginx?.end();
    await Promise.all(this.#members.map((member) => member.stop()));
    await Promise.all([this.#postgres?.stop(), this.#swift?.end()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
