import path from 'node:path';
import { pino } from 'pino';
import { type Db, makeDb, makePool } from '../server/src/platform/database/database.ts';
import { withPostgres } from '../server/src/platform/postgres/postgres.ts';

const log = pino({ level: 'error' });

/** Does something with the database of the server that runs on `folder`. */
export const withDatabase = (folder: string, work: (db: Db) => Promise<void>): Promise<void> =>
  withPostgres(path.join(folder, 'data'), log, async (connection) => {
    const db = makeDb(makePool(connection, log));
    await work(db);
    await db.destroy();
  });
