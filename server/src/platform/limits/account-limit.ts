import { AppError } from '@ams/contract';
import type { Viewer } from '../auth/auth.ts';
import { TokenBuckets } from './token-bucket.ts';

/** So much of a minute's calls an account may make at once: a page, an import and a script at the same time. */
const BURST_SHARE = 0.5;

/**
 * Slows people that call without a pause, each by itself and in each process. Counting in the database would be a
 * statement for every call; processes add up, which a limit as generous as this one can bear. 0 is no limit.
 * @throws `TOO_MANY`
 */
export function limitAccounts(perMinute: number): (viewer: Viewer) => void {
  if (perMinute === 0) return () => undefined;
  const buckets = new TokenBuckets({ burst: Math.ceil(perMinute * BURST_SHARE), perSecond: perMinute / 60 });
  return ({ person }) => {
    const waitMs = buckets.take(person.id);
    if (waitMs > 0) throw new AppError('TOO_MANY', { seconds: Math.ceil(waitMs / 1000) });
  };
}
