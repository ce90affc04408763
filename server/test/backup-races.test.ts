import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { openStorage, storedContents } from '../src/features.ts';
import { startServer } from '../src/lifecycle.ts';
import { readArchive } from '../src/platform/backup/read.ts';
import { writeArchive } from '../src/platform/backup/write.ts';
import { type Db, makeDb, makePool } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { addPictureAd } from './media.ts';
import { closedFolder, repository, start } from './programs.ts';
import { startRelay } from './relay.ts';
import { callersAt, dataOf, makeDatabase, type Session, startTestServer, type TestServer } from './server.ts';

const KEY = Buffer.alloc(32, 7);
const log = pino({ level: 'silent' });
const folder = closedFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));

const server = await startTestServer();
const admin = await server.login();
await addPictureAd(server, admin);
const { blobs } = await openStorage(server.config);
const source = {
  connection: server.connection,
  blobs,
  holdBlobs: storedContents.hold,
  blobNames: storedContents.names,
};
const archive = path.join(folder, 'everything.tar');
await writeArchive(archive, source, KEY);

/** An empty place for a restore; `meanwhile` happens after its schema was made. */
async function placeFor(meanwhile: (db: Db) => Promise<unknown>) {
  const { url: _, ...connection } = await makeDatabase();
  const config = { ...server.config, data: path.join(folder, connection.database ?? '') };
  await mkdir(config.data);
  const db = makeDb(makePool(connection, log));
  onTestFinished(() => db.destroy());
  const target = {
    connection,
    blobs: (await openStorage(config)).blobs,
    migrate: async (migrations: string[]) => {
      await migrate(db, migrations.at(-1));
      await meanwhile(db);
    },
  };
  const countUsers = async () => (await db.selectFrom('users').select('id').execute()).length;
  return { config, connection, target, countUsers };
}

test('a server that starts in the place of a restore meanwhile keeps its installation', async () => {
  const { promise: started, resolve: tell } = Promise.withResolvers<Pick<TestServer, 'url'> & { session: Session }>();
  const place = await placeFor(async () => {
    const { listen, stop } = await startServer(place.config, place.connection, log);
    onTestFinished(() => stop());
    const there = callersAt(await listen({ port: 0, host: '127.0.0.1' }));
    const session = await there.login();
    // The same picture as in the archive.
    await addPictureAd(there, session);
    tell({ url: there.url, session });
  });
  await expect(readArchive(archive, place.target, KEY)).rejects.toThrow('already contains an installation');
  expect(await place.countUsers()).toBe(1);
  const { url, session } = await started;
  const [file] = dataOf(await session.calls.files.list()).items;
  expect((await fetch(new URL(file?.url ?? '', url))).status).toBe(200);
});

test('nothing is restored into the schema of a later version, whose migrations would never run on it', async () => {
  const place = await placeFor((db) =>
    sql`insert into kysely_migration (name, timestamp) values ('9999_tomorrow', now()::text)`.execute(db),
  );
  await expect(readArchive(archive, place.target, KEY)).rejects.toThrow('a later version than the backup');
  expect(await place.countUsers()).toBe(0);
});

/** A backup during which something happens when the first stored file is copied. */
const backUp = async (file: string, connection: pg.ClientConfig, meanwhile: () => Promise<unknown>) =>
  writeArchive(
    file,
    {
      ...source,
      connection,
      blobs: {
        size: (sha256) => blobs.size(sha256),
        borrow: async (sha256) => {
          await meanwhile();
          return blobs.borrow(sha256);
        },
      },
    },
    KEY,
  );

test('a backup that loses the database while it copies files fails and leaves nothing behind', async () => {
  const place = path.join(folder, 'lost');
  await mkdir(place);
  const { host, port } = server.connection;
  const relay = await startRelay({ path: `${host}/.s.PGSQL.${port}` });
  onTestFinished(() => relay.close());
  const lost = backUp(
    path.join(place, 'everything.tar'),
    { ...server.connection, host: '127.0.0.1', port: relay.port },
    async () => {
      relay.cut();
      await sleep(200);
    },
  );
  await expect(lost).rejects.toThrow('The connection to the database was lost');
  expect(await readdir(place)).toEqual([]);
});

test('a backup is in no transaction while it copies files', async () => {
  const isInTransaction = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`.execute(
      server.deps.db,
    );
    return rows.length > 0;
  };
  const seen: boolean[] = [];
  await backUp(path.join(folder, 'again.tar'), server.connection, async () => void seen.push(await isInTransaction()));
  expect(new Set(seen)).toEqual(new Set([false]));
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a backup that %s ends leaves nothing behind', async (signal) => {
  const place = path.join(folder, signal);
  await mkdir(place);
  const { host, port, user, database } = server.connection;
  const url = `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
  const keyFile = path.join(folder, `${signal}.key`);
  await server.deps.db.transaction().execute(async (trx) => {
    // One of the last tables: the backup waits for it.
    await sql`lock table user_scopes in access exclusive mode`.execute(trx);
    const program = start(
      process.execPath,
      ['server/src/backup.ts', 'backup', path.join(place, 'everything.tar'), '--key', keyFile],
      {
        cwd: repository,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, AMS_DATA: server.config.data },
      },
    );
    await vi.waitFor(
      async () =>
        expect(await readdir(place, { recursive: true })).toEqual(
          expect.arrayContaining([expect.stringMatching(/uploads$/)]),
        ),
      20_000,
    );
    program.child.kill(signal);
    expect(await program.ended).not.toBe(0);
  });
  expect(await readdir(place)).toEqual([]);
});
