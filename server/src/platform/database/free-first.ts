import { type RawBuilder, sql } from 'kysely';

/** Outcome for some rows; `busy`: rows locked by another transaction. */
export interface Outcome {
  done: string[];
  busy: string[];
}

/**
 * Does `work`, a statement that locks rows as its second argument says, on all rows that are free together, and then
 * on each of the others when its turn comes, by itself: who waits holds nothing that anybody else waits for, so that
 * many at once never wait in a circle. Answers what was done.
 */
export async function freeFirst(
  ids: readonly string[],
  work: (ids: readonly string[], waiting: RawBuilder<unknown>) => Promise<Outcome>,
): Promise<string[]> {
  const { done, busy } = await work(ids, sql`skip locked`);
  for (const id of busy) done.push(...(await work([id], sql``)).done);
  return done;
}
