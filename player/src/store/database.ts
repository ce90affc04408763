import type { Play } from '@ams/contract';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KeptTime } from '../platform/clock.ts';
import type { Live, PlayBatch, PlayStore, StateStore } from '../sync/ports.ts';

export interface Identity {
  mac: string;
  /** 32 random bytes in hex: the machine's own secret. */
  secret: string;
}

interface Values {
  live: Live;
  paired: boolean;
  identity: Identity;
  time: KeptTime;
  /** Releases that play once and have done so. */
  finished: string[];
}

interface Schema extends DBSchema {
  state: { key: string; value: unknown };
  plays: { key: number; value: Play };
  batches: { key: string; value: PlayBatch };
}

export type Database = IDBPDatabase<Schema>;

export const openDatabase = (): Promise<Database> =>
  openDB<Schema>('ams-player', 1, {
    upgrade(database) {
      database.createObjectStore('state');
      database.createObjectStore('plays', { autoIncrement: true });
      database.createObjectStore('batches', { keyPath: 'batch' });
    },
  });

export async function readValue<K extends keyof Values>(database: Database, key: K): Promise<Values[K] | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeValue` writes here, under the same key and type
  return (await database.get('state', key)) as Values[K] | undefined;
}

export async function writeValue<K extends keyof Values>(database: Database, key: K, value: Values[K]): Promise<void> {
  await database.put('state', value, key);
}

export const openStateStore = (database: Database): StateStore => ({
  live: () => readValue(database, 'live'),
  saveLive: (live) => writeValue(database, 'live', live),
  paired: async () => (await readValue(database, 'paired')) ?? false,
  savePaired: (paired) => writeValue(database, 'paired', paired),
});

/** Moves the oldest plays into a batch, in one transaction. */
async function makeBatch(database: Database, name: string, limit: number): Promise<PlayBatch | undefined> {
  const transaction = database.transaction(['plays', 'batches'], 'readwrite', { durability: 'strict' });
  const plays: Play[] = [];
  let cursor = await transaction.objectStore('plays').openCursor();
  while (cursor && plays.length < limit) {
    plays.push(cursor.value);
    await cursor.delete();
    cursor = await cursor.continue();
  }
  const batch = { batch: name, plays };
  if (plays.length > 0) await transaction.objectStore('batches').put(batch);
  await transaction.done;
  return plays.length > 0 ? batch : undefined;
}

export const openPlayStore = (database: Database): PlayStore => ({
  async append(play) {
    const transaction = database.transaction('plays', 'readwrite', { durability: 'strict' });
    await transaction.store.add(play);
    await transaction.done;
  },
  async take(name, limit) {
    const [waiting] = await database.getAll('batches', undefined, 1);
    return waiting ?? makeBatch(database, name, limit);
  },
  confirm: (name) => database.delete('batches', name),
});
