import { sql } from 'kysely';

/**
 * How far ahead of `now()` a stored time may lie: `now()` is when a transaction began, and another one that began later
 * may have written and committed meanwhile. A time further ahead is from before the clock was set back.
 */
export const AHEAD_MAX = sql`interval '1 minute'`;
