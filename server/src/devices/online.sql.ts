import { sql } from 'kysely';

/**
 * A device `d` is online while a living server process holds its lease. `devices_now.online` and the counts of the home
 * page are built on the same view, `living_processes`; these conditions find their rows by the index on `lease`.
 */
export const isOnline = sql<boolean>`d.lease = any(array(select id from living_processes))`;

/** The opposite. The processes that are dead but not yet removed are few. */
export const isOffline = sql<boolean>`
  (d.lease is null or d.lease = any(array(
    select id from server_processes except select id from living_processes)))`;
