import type { Failure } from '@ams/contract';

type Refusal = Pick<Failure, 'code' | 'error'>;

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/** Number of failures without a further byte on the server that end the retries; a missing network never does. */
export const RETRIES_MAX = 6;

/** Milliseconds to wait before try number `attempt` (0 is the first repetition). */
export const backoff = (attempt: number): number => Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);

/** Statuses that pass: offset conflict, locked, a damaged piece (tus `checksum`), too many calls, busy servers. */
const PASSING = new Set([408, 409, 423, 425, 429, 460, 500, 502, 503, 504]);

/** Too large, another format, too many pixels: statuses about the file itself. */
const FINAL = new Set([413, 415, 422]);

/** Refusals by a proxy, which can be set up otherwise, and for lack of space, which can be made. */
const MENDABLE = new Set(['HTTP', 'QUOTA_EXCEEDED']);

/** Whether the server would refuse the same file again. Its stored bytes are deleted. */
export const isFinal = ({ code, error }: Refusal): boolean =>
  (FINAL.has(code) && !MENDABLE.has(error)) || error === 'VERSION_NOT_NEWER';

/** Whether the same request may go well a little later. */
export const worthAnotherTry = (refusal: Refusal): boolean =>
  !isFinal(refusal) && (refusal.code === 0 || PASSING.has(refusal.code));
