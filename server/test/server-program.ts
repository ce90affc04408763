import pg from 'pg';
import { type Program, start } from './programs.ts';
import { callersAt, type TestServer } from './server.ts';

const PASSWORD = 'password1';

export type ServerProgram = Program & Pick<TestServer, 'url' | 'as' | 'login'>;

/** Server processes, one after the other or side by side, on one database and one data folder. */
export class ServerPrograms {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #started: Program[] = [];

  constructor(databaseUrl: string, data: string, settings: NodeJS.ProcessEnv = {}) {
    this.#environment = {
      ...{ PATH: process.env.PATH, PORT: '0', AMS_DATA: data, DATABASE_URL: databaseUrl, AMS_CAPTCHA: 'off' },
      ...{ AMS_ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'error', ...settings },
    };
  }

  /** Starts one; resolves when it answers. */
  async start(): Promise<ServerProgram> {
    const program = start(process.execPath, ['server/src/main.ts'], { env: this.#environment });
    this.#started.push(program);
    await program.says(/Account:[^]*\n\n/);
    const url = /Address: *(\S+)\//.exec(program.output())?.[1] ?? '';
    return { ...program, ...callersAt(url) };
  }

  /** Ends those that still run. */
  async end(): Promise<void> {
    for (const { child, ended } of this.#started) {
      child.kill();
      await ended;
    }
  }
}

/** Kills a server. The others take it for dead at once, not after 15 seconds without a heartbeat. */
export async function killServer({ child, ended }: Program, connection: pg.ClientConfig): Promise<void> {
  child.kill('SIGKILL');
  await ended;
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`update server_processes set beat_at = now() - interval '20 seconds'`);
  await client.end();
}
