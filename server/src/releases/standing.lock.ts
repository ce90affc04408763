import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

const LOCK = sql`hashtext('ams standing releases')`;

/**
 * Before devices change: until the transaction ends, no standing release begins, ends or gets another filter. It comes
 * after locks of people and before those of releases and devices.
 */
export const shareStanding = (trx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock_shared(${LOCK}) ${prepared}`.execute(trx);

/** Before a standing release begins, ends or gets another filter: no device changes meanwhile. */
export const lockStanding = (trx: Db): Promise<unknown> => sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
