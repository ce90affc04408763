import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { type DestinationStream, pino } from 'pino';
import { expect, inject } from 'vitest';
import { undeclaredErrors } from '../src/platform/http/errors.ts';
import { readConfig } from '../src/config.ts';
import type { Config } from '../src/platform/process/config.ts';
import type { Pace } from '../src/devices/presence.service.ts';
import type { RunningServer } from '../src/lifecycle.ts';
import { startServer } from '../src/lifecycle.ts';
import { ADMIN, callersAt, type Callers } from './callers.ts';
import { atEndOfFile } from './endings.ts';
import { copyDatabase } from './shared-postgres.ts';

export * from './callers.ts';

/** A server of its own on a database of its own, with the calls of the contract. */
export interface TestServer extends RunningServer, Callers {
  url: string;
  config: Config;
  connection: pg.PoolConfig;
}

/** A new database: empty, or a copy of `template`. */
export const makeDatabase = async (template?: string): Promise<pg.PoolConfig & { url: string }> => ({
  ...(await copyDatabase(inject('postgres'), template)),
  max: 10,
});

/** The errors that calls of this test file answered without declaring them (`errors` of their routes). */
const undeclared = new Set<unknown>();
undeclaredErrors.subscribe((error) => undeclared.add(error));

/** Starts a server for this test file, which logs to `logTo`; it stops by itself when the file is done. */
export async function startTestServer(
  settings: NodeJS.ProcessEnv = {},
  pace: Partial<Pace> = {},
  logTo: DestinationStream = process.stdout,
): Promise<TestServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'ams-data-'));
  const { url: _, ...connection } = await makeDatabase(inject('migrated'));
  const config = readConfig({
    PORT: '0',
    AMS_DATA: data,
    AMS_CAPTCHA: 'off',
    AMS_ADMIN_PASSWORD: ADMIN.password,
    AMS_BALLAST_MB: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  });
  const started = await startServer(config, connection, pino({ level: config.logLevel }, logTo), pace);
  atEndOfFile(async () => {
    await started.stop();
    await rm(data, { recursive: true, force: true });
    expect([...undeclared]).toEqual([]);
  });
  // Devices have had the time to come back since its start.
  await sql`update server_processes set started_at = now() - interval '1 hour'`.execute(started.deps.db);
  await started.listen({ port: 0, host: '127.0.0.1' });
  return { ...started, ...callersAt(addressOf(started)), config, connection };
}

const addressOf = ({ app }: RunningServer): string => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
