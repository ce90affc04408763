import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type App, type Client, type FileKind, type MediaFile, isEnvelope, makeClient, routes } from '@ams/contract';
import { Cluster } from './cluster.ts';
import { dataOf } from '../server/test/callers.ts';
import { copyDatabase, dropDatabase, type SharedPostgres } from '../server/test/shared-postgres.ts';
import { firstRow, movedPort, PASSWORD, ServerProcess } from './process.ts';

export { dataOf, PASSWORD };

/** Whether the stories run against two processes behind nginx with files in S3, instead of one process. */
const IN_CLUSTER = process.env['AMS_TEST_CLUSTER'] === 'on';

interface Options {
  /** Its own in the house, before it is moved. */
  port: number;
  captcha?: 'on' | 'off';
  /** More settings of it. */
  settings?: Record<string, string>;
  /** Makes and runs a PostgreSQL by itself, as `npm start` does, also where stories share one. */
  ownPostgres?: boolean;
}

type Shared = Pick<SharedPostgres, 'connection' | 'migrated'>;

/** What all stories of a run share (global-setup.ts); programs without Playwright have none. */
function sharedPostgres(): Shared | undefined {
  const given = process.env['AMS_TEST_POSTGRES'];
  return given === undefined ? undefined : JSON.parse(given);
}

/** One process with all it needs, or several. */
interface Installation {
  origin: string;
  /** Of its database, once it was started. */
  connection: pg.ClientConfig | undefined;
  /** Of its first process, while that runs. */
  pid: number;
  start(): Promise<void>;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  end(): Promise<void>;
}

/** A true server with its own database, that can be stopped and started again on the same data. */
export class RealServer {
  readonly origin: string;
  readonly folder = mkdtempSync(path.join(tmpdir(), 'ams-e2e-'));
  readonly #installation: Installation;
  /** Of the signed-in person. */
  token = '';

  constructor({ port, captcha = 'off', settings = {}, ownPostgres = false }: Options) {
    const all = { AMS_CAPTCHA: captcha, ...settings };
    const shared = ownPostgres || settings['DATABASE_URL'] ? undefined : sharedPostgres();
    if (IN_CLUSTER) this.#installation = new Cluster(port, { settings: all });
    else if (shared) this.#installation = lodger(shared, port, this.folder, all);
    else this.#installation = alone(port, this.folder, all);
    this.origin = this.#installation.origin;
  }

  start = (): Promise<void> => this.#installation.start();

  /** Of the process that runs. */
  get pid(): number {
    return this.#installation.pid;
  }

  /** Of its database, once it was started. */
  get connection(): pg.ClientConfig | undefined {
    return this.#installation.connection;
  }

  /** Signs the test itself in, for `calls`. */
  async login(): Promise<void> {
    const login = await fetch(`${this.origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    this.token = login.headers.get('token') ?? '';
  }

  /** One row of its database. */
  row(query: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined> {
    return firstRow(this.#installation.connection, query, values);
  }

  /** Adds so many devices of the first account, 'Screen 001' and so on, the newest first. */
  addScreens(count: number): Promise<unknown> {
    return this.row(
      `insert into devices (id, mac, name, owner_id, created_at)
       select gen_random_uuid(), '02005e' || lpad(to_hex(n), 6, '0'), 'Screen ' || lpad(n::text, 3, '0'),
         (select id from users where username = 'admin'), now() - n * interval '1 minute'
       from generate_series(1, $1::bigint) n`,
      count,
    );
  }

  /** Holds the rows of a `for update` query, so that others wait for them; returns a function that releases them. */
  async hold(query: string): Promise<() => Promise<void>> {
    const client = new pg.Client(this.#installation.connection);
    await client.connect();
    await client.query('begin');
    await client.query(query);
    return () => client.end();
  }

  /** Ends it by SIGTERM or SIGKILL. */
  stop = (signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> => this.#installation.stop(signal);

  async end(): Promise<void> {
    await this.#installation.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The calls of the first account. */
  get calls(): Client<typeof routes> {
    return makeClient(routes, async ({ method, url, body }) => {
      const response = await fetch(this.origin + url, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const reply: unknown = await response.json();
      if (!isEnvelope(reply)) throw new Error(`no envelope from ${url}`);
      return reply;
    });
  }

  /** A file made by ffmpeg, uploaded and ready to be released. `source`: an ffmpeg input of the lavfi device. */
  async addFile(
    name: string,
    source: string,
    { owner, ...kind }: Pick<FileKind, 'orientation' | 'kind'> & { owner?: string },
  ): Promise<MediaFile> {
    const file = path.join(this.folder, name);
    const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
    const output = name.endsWith('.mp4') ? video : ['-frames:v', '1'];
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...output, file]);
    const id = await this.#upload(readFileSync(file), {
      name,
      orientation: kind.orientation,
      kind: String(kind.kind),
      ...(owner && { owner }),
    });
    for (;;) {
      const found = dataOf(await this.calls.files.get({ params: { id } }));
      if (found.state === 'ready') return found;
      if (found.state === 'failed') throw new Error(`${name}: ${found.failure}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** A version of device software, as an APK comes from its maker; answers when the server has read it. */
  async addApp(apk: string): Promise<App> {
    const name = path.basename(apk);
    await this.#upload(readFileSync(apk), { kind: 'app', name: 'Player', filename: name, content: 'Starts faster' });
    const [app] = dataOf(await this.calls.apps.list({ query: { limit: 1 } })).items;
    if (!app) throw new Error(`${name} was refused`);
    return app;
  }

  async #upload(body: Buffer<ArrayBuffer>, metadata: Record<string, string>): Promise<string> {
    const headers = { 'authorization': `Bearer ${this.token}`, 'tus-resumable': '1.0.0' };
    const encoded = Object.entries(metadata).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
    const created = await fetch(`${this.origin}/api/uploads`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': String(body.length), 'upload-metadata': encoded.join(',') },
    });
    const sent = await fetch(new URL(created.headers.get('location') ?? '', this.origin), {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body,
    });
    return sent.headers.get('file-id') ?? '';
  }
}

/** One process with a PostgreSQL of its own, unless its settings name another. */
function alone(port: number, folder: string, settings: Record<string, string>): Installation {
  const running = new ServerProcess(movedPort(port), {
    AMS_DATA: path.join(folder, 'data'),
    AMS_ADMIN_PASSWORD: PASSWORD,
    ...settings,
  });
  return {
    origin: `http://127.0.0.1:${running.port}`,
    connection: settings['DATABASE_URL']
      ? { connectionString: settings['DATABASE_URL'] }
      : { host: path.join(folder, 'data/postgres'), user: 'ams', database: 'ams' },
    get pid() {
      return running.pid;
    },
    start: () => running.start(),
    stop: (signal) => running.stop(signal),
    end: () => running.stop(),
  };
}

/** One process with a database of its own in the PostgreSQL of all stories. */
function lodger(shared: Shared, port: number, folder: string, settings: Record<string, string>): Installation {
  let database: Awaited<ReturnType<typeof copyDatabase>> | undefined;
  let house: Installation | undefined;
  return {
    origin: `http://127.0.0.1:${movedPort(port)}`,
    get connection() {
      return database;
    },
    get pid() {
      if (!house) throw new Error('not started');
      return house.pid;
    },
    async start() {
      database ??= await copyDatabase(shared.connection, shared.migrated);
      house ??= alone(port, folder, { DATABASE_URL: database.url, ...settings });
      await house.start();
    },
    stop: async (signal) => house?.stop(signal),
    async end() {
      await house?.end();
      if (database) await dropDatabase(shared.connection, database.database);
    },
  };
}
