import type { Manifest } from '@ams/contract';
import type { InjectOptions } from 'fastify';
import pg from 'pg';
import { Kysely, PostgresDialect } from 'kysely';
import { buildApp } from '../src/app.ts';
import { identitiesOf, mountFeatures, openPresence, PLAYER_LINKS, uploadPaths } from '../src/features.ts';
import type { Db } from '../src/platform/database/database.ts';
import { type Connection, preparing } from '../src/platform/database/prepared.ts';
import { Events } from '../src/platform/events/events.ts';
import type { Deps } from '../src/platform/process/deps.ts';
import { Metrics } from '../src/platform/process/metrics.ts';
import { Manifests } from '../src/player/manifest.service.ts';
import { callersBy, type Callers, type TestServer } from './server.ts';

/** `now()` is the start of a transaction: here, where all happens in one, it is a clock again. */
const CLOCK = `
  create schema if not exists undoable;
  create or replace function undoable.now() returns timestamptz language internal stable as 'clock_timestamp'`;

/** Effects have transactions of their own, which are savepoints here. */
const INSTEAD = new Map([
  ['begin', 'savepoint effect'],
  ['commit', 'release savepoint effect'],
  ['rollback', 'rollback to savepoint effect; release savepoint effect'],
]);

const STATEMENTS_MAX = 2000;

/** A connection whose transactions are savepoints, and which plans each statement with values once. */
function withSavepoints(client: Connection, names: Map<string, string>): Connection {
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= STATEMENTS_MAX) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    query: ({ text, values = [], name }) =>
      client.query({
        text: INSTEAD.get(text) ?? text,
        values,
        name: name ?? (values.length > 0 ? nameOf(text) : undefined),
      }),
    release: (destroy) => client.release(destroy),
  };
}

/** The calls of a server, of which nothing is kept: every moment can be returned to. */
export interface Undoable extends Callers {
  deps: Deps;
  /** Does something, and undoes it. Whatever is called, is called within. */
  undoing<T>(work: () => Promise<T>): Promise<T>;
  /** The manifests of devices by the function that they get them from, without what a process remembers. */
  manifestsOf(ids: readonly string[]): Promise<Manifest[]>;
  /** Closes the connection. */
  end(): Promise<void>;
}

/** The calls of a server on a connection of their own; nothing is sent over a network. */
export async function openUndoable(server: Pick<TestServer, 'deps' | 'connection'>): Promise<Undoable> {
  const pool = new pg.Pool({ ...server.connection, max: 1, idleTimeoutMillis: 0 });
  await pool.query(CLOCK);
  await pool.query('set search_path = undoable, pg_catalog, public');
  const names = new Map<string, string>();
  const savepoints = preparing(pool, async () => withSavepoints(await pool.connect(), names));
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool: savepoints }) });
  // Hears nothing, so that no process remembers what is undone.
  const events = new Events(server.connection, server.deps.log);
  const identities = identitiesOf({ ...server.deps, db, events }, server.deps.config.callsPerMinute);
  const deps: Deps = { ...server.deps, db, events, identities, metrics: new Metrics() };
  const presence = openPresence(deps, db, () => undefined, {});
  const app = await buildApp(deps, deps.log, {
    mount: (open) => mountFeatures(open, deps, presence),
    otherPaths: uploadPaths,
  });
  let depth = 0;
  const callers = callersBy(async (path, { method, headers, body }) => {
    const options: InjectOptions = { method, url: path, headers, ...(body !== undefined && { payload: body }) };
    const reply = await app.inject(options);
    return { headers: { get: (name) => String(reply.headers[name] ?? '') }, json: async () => reply.json<unknown>() };
  });
  return {
    ...callers,
    deps,
    // The outermost is the transaction.
    undoing: async (work) => {
      depth += 1;
      await pool.query(depth === 1 ? 'begin' : 'savepoint moment');
      const done = await work();
      depth -= 1;
      await pool.query(depth === 0 ? 'rollback' : 'rollback to savepoint moment; release savepoint moment');
      return done;
    },
    manifestsOf: async (ids) => {
      const manifests = new Manifests(deps, PLAYER_LINKS, { holdings: ids.length, versions: ids.length });
      const all = await Promise.all(ids.map((id) => manifests.whole(id)));
      return all.flatMap(({ manifest }) => manifest ?? []);
    },
    end: async () => {
      await app.close();
      await pool.end();
    },
  };
}
