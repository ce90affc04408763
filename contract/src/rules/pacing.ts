/** The spots of one campaign on one screen. Times are milliseconds of open time since the start of its flight there. */
export interface PacedSpot {
  id: string;
  /** One spot is due in each period of this length. */
  everyMs: number;
  /** Spots played so far. */
  played: number;
  /** Open time now, and when the last spot began; null before the first. */
  openMs: number;
  lastAtMs: number | null;
}

/** After a time in the dark a campaign catches up at most at this multiple of its rate; the server distributes the rest. */
const CATCH_UP = 2;

/** Open time at which the next spot is due. */
function dueAtMs({ everyMs, played, lastAtMs }: PacedSpot): number {
  const onTime = played * everyMs;
  return lastAtMs === null ? onTime : Math.max(onTime, lastAtMs + everyMs / CATCH_UP);
}

/**
 * Open time that is left until the next spot is late. A campaign that is behind by more than a period has a whole period
 * after its last spot, so that it takes no time from campaigns that are on time.
 */
function leftMs({ everyMs, played, openMs, lastAtMs }: PacedSpot): number {
  const left = (played + 1) * everyMs - openMs;
  return left < -everyMs ? (lastAtMs ?? openMs) + everyMs - openMs : left;
}

/**
 * The spot that plays next: of those that are due, the one with the earliest deadline. If the sum of spot length over
 * period is at most 1, earliest deadline first meets every deadline (Liu and Layland 1973), to one running item that is
 * never cut. Undefined: the fill plays, the normal releases. `last` was on screen just now: it is not shown twice
 * running unless there is nothing else.
 */
export function nextSpot<S extends PacedSpot>(
  spots: readonly S[],
  last: string | null,
  hasFill: boolean,
): S | undefined {
  const due = spots.filter((spot) => dueAtMs(spot) <= spot.openMs);
  const others = due.filter(({ id }) => id !== last);
  const candidates = others.length > 0 || hasFill || spots.length > 1 ? others : due;
  return candidates.toSorted((a, b) => leftMs(a) - leftMs(b) || (a.id < b.id ? -1 : 1))[0];
}
