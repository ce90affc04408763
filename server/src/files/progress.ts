import type { Deps } from '../platform/process/deps.ts';
import { publishFiles } from './files.service.ts';
import { recordProgress } from './work.queries.ts';

/** Minimum interval between two notifications. */
const TELL_EVERY_MS = 2000;

/** Stores the progress of a file's conversion and announces it to viewers, at intervals. */
export function progressTeller({ db, log }: Deps, id: string): (share: number) => void {
  let told = { at: Number.NEGATIVE_INFINITY, percent: -1 };
  const tell = async (percent: number): Promise<void> => {
    const file = await recordProgress(db, id, percent);
    if (file) await publishFiles(db, [{ id, ...file }]);
  };
  return (share) => {
    // The outcome reports the end.
    const percent = Math.min(99, Math.floor(share * 100));
    const at = performance.now();
    if (percent <= told.percent || at - told.at < TELL_EVERY_MS) return;
    told = { at, percent };
    tell(percent).catch((error: unknown) => log.warn({ err: error }, 'could not publish the progress of a conversion'));
  };
}
