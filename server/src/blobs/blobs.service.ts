import type { ClientBase } from 'pg';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import { Failures } from '../platform/jobs/steps.ts';
import { deleteUnusedBlob, findUnnamed, findUnusedBlobs, findUses } from './blobs.queries.ts';
import type { ContentUse } from './content-use.ts';
import { CONTENT_LOCK, lockForCleaning } from './content-lock.ts';

export { findUses as usesOf };

/**
 * Puts bytes into their place, unless they are there: a transaction that is run again must not move them twice.
 * @param settle puts them there
 */
export async function settleContent(
  { blobs }: Pick<Deps, 'blobs'>,
  { sha256, bytes }: { sha256: string; bytes: number },
  settle: () => Promise<void>,
): Promise<void> {
  if ((await blobs.size(sha256)) !== bytes) await settle();
}

/** Cleaning removes nothing while this connection is open. */
export const holdContents = (client: ClientBase): Promise<unknown> =>
  client.query('select pg_advisory_lock_shared(hashtext($1))', [CONTENT_LOCK]);

/** The name of every stored content that a row needs. */
export async function contentNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct name from blobs, lateral (values (sha256), (play_sha256), (poster_sha256)) named (name)
     where name is not null order by name`,
  );
  return rows.map(({ name }) => name);
}

const BLOBS_A_RUN = 1000;

export const CLEAN_CONTENTS = 'files_clean_blobs';

/** Has contents that nobody needs any more removed by a job. */
export const cleanContentsSoon = (tx: Db): Promise<unknown> => addJob(tx, CLEAN_CONTENTS, {}, { key: CLEAN_CONTENTS });

/** Removes contents that no feature needs. @throws the first error, after the others were removed */
export async function cleanContents(deps: Deps, uses: readonly ContentUse[]): Promise<void> {
  const failures = new Failures();
  for (const { sha256 } of await findUnusedBlobs(deps.db, uses, BLOBS_A_RUN)) {
    await cleanBlob(deps, uses, sha256).catch(failures.note);
  }
  failures.end();
}

/** Removes one content and what was made of it, unless somebody needs it by now. */
async function cleanBlob({ db, blobs }: Deps, uses: readonly ContentUse[], sha256: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Somebody is storing something just now: the next run finds it again.
    if (!(await lockForCleaning(tx))) return;
    const names = await deleteUnusedBlob(tx, uses, sha256);
    // Different originals can have the same poster, and a converted video can be uploaded again.
    for (const name of await findUnnamed(tx, names)) await blobs.remove(name);
  });
}

/**
 * Removes stored bytes older than `before` that no row names: a process was killed between the two.
 * @throws the first error, after the others were removed
 */
export async function cleanStrays({ db, blobs }: Pick<Deps, 'db' | 'blobs'>, before: Date): Promise<void> {
  const failures = new Failures();
  for await (const names of blobs.names(before)) {
    if ((await findUnnamed(db, names)).length === 0) continue;
    await db.transaction().execute(async (tx) => {
      // While nobody is storing, what has no row gets none. Otherwise the next run finds it again.
      if (!(await lockForCleaning(tx))) return;
      for (const name of await findUnnamed(tx, names)) await blobs.remove(name).catch(failures.note);
    });
  }
  failures.end();
}
