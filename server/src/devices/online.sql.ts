import { type RawBuilder, sql } from 'kysely';

/**
 * A device `d` is online while a living server process holds its lease. `devices_now.online` and the counts of the home
 * page are built on the same view, `living_processes`; these conditions find their rows by the index on `lease`.
 */
export const isOnline = sql<boolean>`d.lease = any(array(select id from living_processes))`;

/** The processes that are dead but not yet removed: few. */
const deadProcesses = sql`array(select id from server_processes except select id from living_processes)`;

/** The opposite. */
export const isOffline = sql<boolean>`(d.lease is null or d.lease = any(${deadProcesses}))`;

/** Those of them whose devices were not released yet. */
const deadHolders = sql`array(
  select id from server_processes where exists (select from devices d where d.lease = server_processes.id)
  except select id from living_processes)`;

/**
 * The same in two conditions that exclude each other, for each of which an index has the devices of an owner in order. The
 * second is not looked for while no process is dead that held any.
 */
export const OFFLINE_PARTS = [
  sql<boolean>`d.lease is null`,
  sql<boolean>`(cardinality(${deadHolders}) > 0 and d.lease = any(${deadHolders}))`,
];

/** The ids of offline devices, whoever's they are, at most `limit` without and `limit` with a lease. */
export const someOffline = (limit: number): RawBuilder<unknown> => sql`
  (select d.id from devices d where d.lease is null limit ${sql.lit(limit)})
  union all
  (select d.id from devices d where d.lease = any(${deadProcesses}) limit ${sql.lit(limit)})`;

/** Devices wait up to half a minute between two tries to connect. */
const COMING_BACK = sql`interval '2 minutes'`;

/**
 * Whether devices that can connect have had the time to: after a start all of them are offline for a moment, however long the
 * server was down.
 */
export const areBack = sql<boolean>`exists (
  select from server_processes p
  where p.id in (select id from living_processes) and p.started_at < now() - ${COMING_BACK})`;
