import pg from 'pg';
import { pino } from 'pino';
import { type Db, makeDb, makePool } from '../server/src/platform/database/database.ts';
import { type EmbeddedPostgres, startPostgres } from '../server/src/platform/postgres/postgres.ts';
import { type Program, startAms } from './processes.ts';
import { fillDevices, holdDevices } from './rows.ts';

type Fill = (db: Db, size: { users: number; devices: number }) => Promise<void>;

const log = pino({ level: 'error' });

/** Some devices, their owners, and the server before them. */
export interface Fleet {
  devices: number;
  users: number;
  url: string;
  db: Db;
  ams: Program;
}

/** PostgreSQL for fleets in databases of their own, until `ends` does. */
export async function startFleets(folder: string, ends: AsyncDisposableStack): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres(folder, log);
  ends.defer(() => postgres.stop());
  return postgres;
}

/** A database in it by its name, made unless it is there from an earlier run. */
export async function openDatabase(
  { connection }: EmbeddedPostgres,
  name: string,
  ends: AsyncDisposableStack,
): Promise<{ url: string; db: Db; isKept: boolean }> {
  const house = new pg.Client({ ...connection, database: 'postgres' });
  await house.connect();
  const { rowCount } = await house.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await house.query(`create database ${name}`);
  await house.end();
  const url = `postgres://${connection.user}@localhost:${connection.port}/${name}?host=${encodeURIComponent(connection.host)}`;
  const db = makeDb(makePool({ connectionString: url }, log));
  ends.defer(() => db.destroy());
  return { url, db, isKept: rowCount !== 0 };
}

/**
 * A fleet of so many devices with a hundredth as many owners; one that is there from an earlier run is taken. `args`: of
 * Node for the server. `name`: of its database.
 */
export async function makeFleet(
  postgres: EmbeddedPostgres,
  folder: string,
  devices: number,
  ends: AsyncDisposableStack,
  { args = [], name = `fleet${devices}`, fill = fillDevices }: { args?: string[]; name?: string; fill?: Fill } = {},
): Promise<Fleet> {
  const { url, db, isKept } = await openDatabase(postgres, name, ends);
  // Before the server starts, which would count the holder of an earlier run as dead.
  if (isKept) await holdDevices(db, ends);
  const ams = await startAms(folder, { DATABASE_URL: url }, args);
  ends.defer(() => ams.stop());
  const users = Math.max(100, devices / 100);
  if (!isKept) {
    await holdDevices(db, ends);
    await fill(db, { users, devices });
  }
  console.log(`${devices} devices are there`);
  return { devices, users, url, db, ams };
}
