import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { type RunningServer, startServer } from '../src/lifecycle.ts';
import { ADMIN, makeDatabase } from './server.ts';

/** A server process on this database, which may be empty. */
async function startOn({ url: _, ...connection }: Awaited<ReturnType<typeof makeDatabase>>): Promise<RunningServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'ams-data-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const config = readConfig({ PORT: '0', AMS_DATA: data, AMS_ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'warn' });
  const running = await startServer(config, connection, pino({ level: 'warn' }));
  onTestFinished(() => running.stop());
  return running;
}

test('processes that start at once on an empty database make it together', async () => {
  const database = await makeDatabase();
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => startOn(database)));
  expect(started.map((each) => (each.status === 'rejected' ? String(each.reason) : 'started'))).toEqual(
    Array.from({ length: 4 }, () => 'started'),
  );
});
