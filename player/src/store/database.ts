import type { Play } from '@ams/contract';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KeptTime } from '../platform/clock.ts';
import type { Rotation } from '../platform/rotation.ts';
import { knownZone } from '../platform/zone.ts';
import type { ChainEnd, Finished, KeptSpots, Live, PlayBatch, PlayStore, StateStore } from './ports.ts';
import { upgradeLive } from './earlier.ts';

export interface Identity {
  mac: string;
  /** 32 random bytes in hex: the device's own secret. */
  secret: string;
}

interface Values {
  /** The manifest that plays. */
  manifest: Live;
  /** The manifest of an earlier player version; read only, so that a rollback remains possible. */
  live: unknown;
  paired: boolean;
  identity: Identity;
  time: KeptTime;
  /** The key of the newest play from before the start since which no server has answered: later ones may have a wrong time. */
  rightTo: number;
  /** Releases that play once and have done so on each screen. */
  finishedAt: Finished;
  finishedAtSecondary: Finished;
  /** The same without times, of an earlier player version; read only, so that a rollback remains possible. */
  finished: string[];
  finishedSecondary: string[];
  /** Spots of campaigns that each screen has played. */
  spots: KeptSpots;
  spotsSecondary: KeptSpots;
  /** The key by which plays are signed, and the end of the chain of signed batches. */
  signing: CryptoKeyPair;
  chain: ChainEnd;
  /** How each screen hangs. */
  rotation: Rotation;
  rotationSecondary: Rotation;
  /** The app that would not be installed, by its id. */
  installTries: { id: string; tries: number; reason: string };
}

interface Schema extends DBSchema {
  state: { key: string; value: unknown };
  plays: { key: number; value: Play };
  batches: { key: string; value: PlayBatch };
}

type Connection = IDBPDatabase<Schema>;

/** The device's database. The browser may close it at any time, or clear it: it opens again, with what is known. */
export interface Database {
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Values read or written in this window; written again if the browser cleared the database. */
  readonly known: Map<string, unknown>;
}

const isClosed = (error: unknown) => error instanceof DOMException && error.name === 'InvalidStateError';

/** Chromium keeps each big record in a file; one whose file is lost or damaged, as after a power cut, counts as none. */
const unlessLost = (error: unknown): undefined => {
  if (error instanceof DOMException && /^(?:Data lost|Failed to read large)/.test(error.message)) return undefined;
  throw error;
};

/**
 * `onLost`: the browser closed the database, most likely because it clears all this page has stored. Called when it
 * is open again.
 */
export async function openDatabase(onLost: () => void): Promise<Database> {
  const known = new Map<string, unknown>();
  let connection: Promise<Connection> | undefined;

  async function restore(opened: Connection): Promise<void> {
    const transaction = opened.transaction('state', 'readwrite');
    const isEmpty = (await transaction.store.count()) === 0;
    if (isEmpty) for (const [key, value] of known) await transaction.store.put(value, key);
    await transaction.done;
  }

  const close = () => {
    const closing = connection;
    connection = undefined;
    void closing?.then((open) => open.close()).catch(() => undefined);
  };

  async function connect(): Promise<Connection> {
    const opened = await openDB<Schema>('ams-player', 1, {
      upgrade(database) {
        database.createObjectStore('state');
        database.createObjectStore('plays', { autoIncrement: true });
        database.createObjectStore('batches', { keyPath: 'batch' });
      },
      // Somebody deletes it: holding on would only block them.
      blocking: close,
      terminated() {
        connection = undefined;
        // Known values are written again first: a reload would otherwise lose the identity.
        void open().then(onLost, onLost);
      },
    });
    await restore(opened);
    return opened;
  }

  const open = () => {
    connection ??= connect();
    connection.catch(() => {
      connection = undefined;
    });
    return connection;
  };

  await open();
  return {
    known,
    async use(work) {
      try {
        return await work(await open());
      } catch (error) {
        if (!isClosed(error)) throw error;
        connection = undefined;
        return work(await open());
      }
    },
  };
}

export async function readValue<K extends keyof Values>(database: Database, key: K): Promise<Values[K] | undefined> {
  const value = await database.use((connection) => connection.get('state', key));
  if (value !== undefined) database.known.set(key, value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeValue` writes here, under the same key and type
  return value as Values[K] | undefined;
}

export async function writeValue<K extends keyof Values>(database: Database, key: K, value: Values[K]): Promise<void> {
  database.known.set(key, value);
  await database.use((connection) => connection.put('state', value, key));
}

/**
 * Gives this device another identity and deletes all that belonged to the earlier one. Its plays cannot be reported any
 * more: the secret that they need is gone. In one transaction: without power in between, the device would have no
 * identity and make up a MAC.
 */
export async function beginAnew(database: Database, identity: Identity): Promise<void> {
  // How the screens hang has nothing to do with whose they are.
  const rotation = await readValue(database, 'rotation');
  const rotationSecondary = await readValue(database, 'rotationSecondary');
  const values = Object.entries({ identity, rotation, rotationSecondary }).filter(([, value]) => value !== undefined);
  database.known.clear();
  for (const [key, value] of values) database.known.set(key, value);
  await database.use(async (connection) => {
    const transaction = connection.transaction(['state', 'plays', 'batches'], 'readwrite');
    for (const name of ['state', 'plays', 'batches'] as const) await transaction.objectStore(name).clear();
    for (const [key, value] of values) await transaction.objectStore('state').put(value, key);
    await transaction.done;
  });
}

export const openStateStore = (database: Database): StateStore => ({
  async live() {
    const live =
      (await readValue(database, 'manifest').catch(unlessLost)) ?? upgradeLive(await readValue(database, 'live'));
    // An earlier player kept time zones that this browser does not know, and could not start with them.
    return live && { ...live, manifest: { ...live.manifest, timeZone: knownZone(live.manifest.timeZone) } };
  },
  saveLive: (live) => writeValue(database, 'manifest', live),
  paired: async () => (await readValue(database, 'paired')) ?? false,
  savePaired: (paired) => writeValue(database, 'paired', paired),
});

/** Moves the oldest plays into a batch, in one transaction. */
async function makeBatch(connection: Connection, name: string, limit: number): Promise<PlayBatch | undefined> {
  const transaction = connection.transaction(['plays', 'batches'], 'readwrite', { durability: 'strict' });
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

/** The batch that is on its way; one that cannot be read is deleted, because it would hold up all later ones. */
async function batchOnItsWay(connection: Connection): Promise<PlayBatch | undefined> {
  for (const name of await connection.getAllKeys('batches')) {
    const batch = await connection.get('batches', name).catch(unlessLost);
    if (batch) return batch;
    await connection.delete('batches', name);
  }
  return undefined;
}

/** The key of the newest play whose time is right: over restarts, the newest one from before the server was away. */
export async function newestRightPlay(database: Database): Promise<number> {
  const kept = await readValue(database, 'rightTo');
  if (kept !== undefined) return kept;
  return database.use(async (connection) => {
    const newest = await connection.transaction('plays').store.openKeyCursor(null, 'prev');
    return newest?.key ?? 0;
  });
}

/** Adds `byMs` to the times of the plays after the one with this key, which are then right. */
export async function movePlays(database: Database, after: number, byMs: number): Promise<void> {
  database.known.delete('rightTo');
  await database.use(async (connection) => {
    const transaction = connection.transaction(['plays', 'state'], 'readwrite', { durability: 'strict' });
    // In one transaction: without power in between, they would be moved twice.
    await transaction.objectStore('state').delete('rightTo');
    const later = byMs === 0 ? [] : transaction.objectStore('plays').iterate(IDBKeyRange.lowerBound(after, true));
    for await (const cursor of later) {
      const at = new Date(Date.parse(cursor.value.at) + byMs).toISOString();
      await cursor.update({ ...cursor.value, at });
    }
    await transaction.done;
  });
}

export const openPlayStore = (database: Database): PlayStore & { waiting(): Promise<number> } => ({
  append: (play) =>
    database.use(async (connection) => {
      const transaction = connection.transaction('plays', 'readwrite', { durability: 'strict' });
      await transaction.store.add(play);
      await transaction.done;
    }),
  take: (name, limit) =>
    database.use(async (connection) => (await batchOnItsWay(connection)) ?? makeBatch(connection, name, limit)),
  chainEnd: () => readValue(database, 'chain'),
  async rewrite(batch, end) {
    await database.use(async (connection) => {
      const transaction = connection.transaction(['state', 'batches'], 'readwrite', { durability: 'strict' });
      await transaction.objectStore('batches').put(batch);
      if (end) await transaction.objectStore('state').put(end, 'chain');
      await transaction.done;
    });
    if (end) database.known.set('chain', end);
  },
  confirm: (name) => database.use((connection) => connection.delete('batches', name)),
  /** How many plays the server has not counted yet. */
  waiting: () =>
    database.use(async (connection) => {
      const batches = await connection.getAll('batches');
      return (await connection.count('plays')) + batches.reduce((sum, { plays }) => sum + plays.length, 0);
    }),
});
