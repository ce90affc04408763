import type { Deps } from '../platform/deps.ts';
import { filesOfBlob, recordProgress } from './blobs.queries.ts';
import { publishFiles } from './files.service.ts';

/** Whoever watches hears of it this often at most. */
const TELL_EVERY_MS = 2000;

/** Writes down the share of a conversion that is done and tells whoever sees its files, now and then. */
export function progressTeller({ db, log }: Deps, sha256: string): (share: number) => void {
  let told = { at: Number.NEGATIVE_INFINITY, percent: -1 };
  const tell = async (percent: number): Promise<void> => {
    if (await recordProgress(db, sha256, percent)) await publishFiles(db, await filesOfBlob(db, sha256));
  };
  return (share) => {
    // The end is told by the outcome.
    const percent = Math.min(99, Math.floor(share * 100));
    const at = performance.now();
    if (percent <= told.percent || at - told.at < TELL_EVERY_MS) return;
    told = { at, percent };
    tell(percent).catch((error: unknown) => log.warn({ err: error }, 'progress of a conversion not told'));
  };
}
