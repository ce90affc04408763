/** How fast an upload goes, measured while bytes are handed to the network. */
export interface Pace {
  /** When and at how many bytes the last measurement was taken; milliseconds since 1970. */
  at: number;
  sent: number;
  bytesPerSecond: number | undefined;
}

const MEASURE_EVERY = 700;
/** Weight of the newest measurement, so that the number shown is calm. */
const NEWEST = 0.35;

export const startPace = (at: number, sent: number): Pace => ({ at, sent, bytesPerSecond: undefined });

/**
 * The pace after `sent` bytes at the moment `at`; unchanged while the last measurement is fresh. It is measured from the
 * first bytes on: an upload that is resumed begins with those that were sent earlier.
 */
export function nextPace(pace: Pace, at: number, sent: number): Pace {
  const passed = at - pace.at;
  if (sent < pace.sent || pace.sent === 0) return startPace(at, sent);
  if (passed < MEASURE_EVERY) return pace;
  const newest = ((sent - pace.sent) * 1000) / passed;
  const before = pace.bytesPerSecond ?? newest;
  return { at, sent, bytesPerSecond: before + (newest - before) * NEWEST };
}

/** Seconds until `left` more bytes are sent; undefined while it is unknown. */
export const secondsLeft = (pace: Pace, left: number): number | undefined =>
  pace.bytesPerSecond === undefined || pace.bytesPerSecond < 1 ? undefined : Math.ceil(left / pace.bytesPerSecond);
