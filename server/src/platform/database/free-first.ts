import { type RawBuilder, sql } from 'kysely';

/** Outcome for some rows; `busy`: rows locked by another transaction. */
export interface Outcome {
  done: string[];
  busy: string[];
}

/**
 * Runs `work`, a statement whose second argument decides how it locks, on all unlocked rows together, and then on each
 * locked row alone: a transaction that waits holds no lock that another waits for, so that there is no deadlock.
 * Returns the outcomes.
 */
export async function freeFirst(
  ids: readonly string[],
  work: (ids: readonly string[], waiting: RawBuilder<unknown>) => Promise<Outcome>,
): Promise<string[]> {
  const { done, busy } = await work(ids, sql`skip locked`);
  for (const id of busy) done.push(...(await work([id], sql``)).done);
  return done;
}
