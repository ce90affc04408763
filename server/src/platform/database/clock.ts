import { sql } from 'kysely';

/** The date in UTC, whatever the time zone that the database is set to: `current_date` would be the date there. */
export const utcToday = sql<string>`(now() at time zone 'UTC')::date`;

/**
 * How far ahead of `now()` a stored time may lie: `now()` is when a transaction began, and another one that began later
 * may have written and committed meanwhile. A time further ahead is from before the clock was set back.
 */
export const AHEAD_MAX = sql`interval '1 minute'`;
