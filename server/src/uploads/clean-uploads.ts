import { Failures, runSteps } from '../platform/jobs/steps.ts';
import type { Deps } from '../platform/process/deps.ts';
import { cleanStaging } from '../blobs/staging.ts';
import { UPLOAD_EXPIRY_MS } from './receiver.ts';
import { cleanLocks, deleteUpload, findExpiredUploads, knownUploads } from './uploads.queries.ts';

const UPLOADS_A_ROUND = 500;

/** Removes uploads that nothing was added to for a day or whose uploader is gone. */
async function cleanExpired({ db, incoming }: Deps): Promise<void> {
  const failures = new Failures();
  for (;;) {
    const expired = await findExpiredUploads(db, UPLOADS_A_ROUND);
    for (const upload of expired) {
      await incoming
        .discard(upload)
        .then(() => deleteUpload(db, upload.id))
        .catch(failures.note);
    }
    if (expired.length < UPLOADS_A_ROUND) break;
  }
  failures.end();
}

/** Removes bytes that no upload knows of. */
async function cleanAbandoned({ db, incoming }: Deps, before: Date): Promise<void> {
  const failures = new Failures();
  const abandoned = await incoming.abandoned(before);
  const known = await knownUploads(
    db,
    abandoned.map(({ id }) => id),
  );
  for (const arrival of abandoned) {
    if (!known.has(arrival.id)) await incoming.discard(arrival).catch(failures.note);
  }
  failures.end();
}

/** Removes the rests of uploads. @throws the first error, after everything else was removed */
export async function cleanUploads(deps: Deps): Promise<void> {
  const { db, incoming, config } = deps;
  const before = new Date(Date.now() - UPLOAD_EXPIRY_MS);
  await runSteps([
    () => cleanLocks(db),
    () => cleanExpired(deps),
    () => cleanAbandoned(deps, before),
    () => incoming.giveUpCopies(before),
    () => cleanStaging(config.data, before),
  ]);
}
