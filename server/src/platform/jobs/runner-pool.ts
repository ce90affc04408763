import pLimit from 'p-limit';
import type pg from 'pg';

/**
 * Runners take and end jobs, statements of a millisecond each. When several jobs begin at once, as at each full minute,
 * all workers of all lanes look for one, and PostgreSQL keeps 2.5 to 5 MB for each connection.
 */
const STATEMENTS_AT_ONCE = 2;

type OnClient = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;

/** One connection, and those that wait on it. */
interface Listening {
  client: Promise<pg.PoolClient>;
  holders: Set<OnClient>;
  /** From when it was first told what to listen to: all runners tell it the same. */
  told: Promise<unknown> | undefined;
}

/**
 * The same pool for several job runners, which share one connection to wait for new jobs, and two for their statements.
 * A runner takes the first by a callback, and all others by a promise. PostgreSQL wakes each connection that waits for
 * every notification of any channel.
 */
export function poolForRunners(pool: pg.Pool): pg.Pool {
  const statements = pLimit(STATEMENTS_AT_ONCE);
  let current: Listening | undefined;

  const begin = (): Listening => {
    const listening: Listening = { client: pool.connect(), holders: new Set(), told: undefined };
    const end = (): void => {
      if (current === listening) current = undefined;
    };
    // A runner that connects again after it broke gets another one.
    listening.client.then((client) => client.once('error', end), end);
    return listening;
  };

  const listen = async (onClient: OnClient): Promise<void> => {
    const listening = (current ??= begin());
    listening.holders.add(onClient);
    // A runner that stops while it connects again releases twice.
    const release = (): void => {
      if (!listening.holders.delete(onClient) || listening.holders.size > 0) return;
      if (current === listening) current = undefined;
      void listening.client.then((client) => client.release(true));
    };
    const client = await listening.client.catch((error: Error) => error);
    if (client instanceof Error) onClient(client, undefined, () => undefined);
    else onClient(undefined, viewOf(listening, client), release);
  };

  const connect = (): Promise<pg.PoolClient> =>
    new Promise((resolve, reject) => {
      void statements(async () => {
        const client = await pool.connect();
        const release = client.release.bind(client);
        await new Promise<void>((free) => {
          client.release = (error) => {
            free();
            release(error);
          };
          resolve(client);
        });
      }).catch(reject);
    });

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pools have no interface of their own
  return Object.create(pool, {
    connect: { value: (onClient?: OnClient) => (onClient ? void listen(onClient) : connect()) },
    query: { value: pool.query.bind(pool) },
  }) as pg.Pool;
}

/** The part of a client that a runner uses. The others keep listening until the connection ends. */
function viewOf(listening: Listening, client: pg.PoolClient): pg.PoolClient {
  const view = {
    on: client.on.bind(client),
    removeListener: client.removeListener.bind(client),
    query: async (text: string): Promise<unknown> =>
      text.startsWith('UNLISTEN') ? undefined : (listening.told ??= client.query(text)),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a client is not used
  return view as unknown as pg.PoolClient;
}
