/** The spots of one campaign on one screen at one instant. */
export interface PacedSpot {
  id: string;
  /** One spot is due in each period of this length, in milliseconds of open time. */
  everyMs: number;
  /** Periods of the flight so far: spot n (from 0) is due once this reaches n. */
  due: number;
  /** Spots played so far. */
  played: number;
  /** Open time since the last spot began, in milliseconds; `Infinity` before the first. */
  sinceMs: number;
  /** Spots that were missed in the dark and are not made up for yet, as `missedSpots` counts them. */
  missed: number;
}

/** After a time in the dark a campaign catches up at most at this multiple of its rate; the server distributes the rest. */
const CATCH_UP = 2;
/** A campaign that is later than this, in periods, was in the dark: it keeps its rate and catches up in spare time. */
const DARK_PERIODS = 2;
/** Periods are floats. */
const TOLERANCE = 1e-6;

/**
 * The number of spots that a campaign missed in the dark and has not made up for. `before` is this number when a spot was
 * chosen last, at first 0. The pace continues without them, and each extra spot makes up for one.
 */
export function missedSpots(before: number, { due, played }: Pick<PacedSpot, 'due' | 'played'>): number {
  const late = due - played - before;
  if (late > DARK_PERIODS) return due - played;
  const extra = Math.max(Math.ceil(-1 - late - TOLERANCE), 0);
  return Math.max(before - extra, 0);
}

/** A spot that may play: by when it has to, or only in time that no campaign is entitled to. */
type Call = { kind: 'deadline'; inMs: number } | { kind: 'spare'; behind: number };

/** Undefined: nothing is due, or the last spot was a moment ago and there is time for another item. */
function callOf({ everyMs, due, played, sinceMs, missed }: PacedSpot): Call | undefined {
  const behind = due - played;
  const inMs = (missed + 1 - behind) * everyMs;
  const gapMs = everyMs / CATCH_UP;
  if (behind < 0 || (sinceMs < gapMs && inMs > gapMs)) return undefined;
  if (inMs <= everyMs) return { kind: 'deadline', inMs };
  return { kind: 'spare', behind };
}

/**
 * The spot that plays next: of those that are due, the one with the earliest deadline. If the sum of spot length over
 * period is at most 1, earliest deadline first meets every deadline (Liu and Layland 1973), to one running item that is
 * never cut. Undefined: the fill plays, the normal releases.
 *
 * A campaign that was in the dark gets one spot in each period like the others; it makes up for missed ones, at most at
 * twice its rate, in the time that is left, of which the fill gets every other item. `last` is the campaign that was on
 * screen just now, null if it was the fill: no campaign shows twice running unless there is nothing else.
 */
export function nextSpot<S extends PacedSpot>(
  spots: readonly S[],
  last: string | null,
  hasFill: boolean,
): S | undefined {
  let first: { spot: S; call: Call } | undefined;
  const maySpare = last === null || !hasFill;
  for (const spot of spots) {
    if (spot.id === last) continue;
    const call = callOf(spot);
    if (call && (call.kind === 'deadline' || maySpare) && (!first || isBefore(call, spot, first)))
      first = { spot, call };
  }
  if (first || hasFill) return first?.spot;
  return spots.find((spot) => spot.id === last && callOf(spot));
}

function isBefore(call: Call, spot: PacedSpot, other: { spot: PacedSpot; call: Call }): boolean {
  const by = urgency(call) - urgency(other.call);
  if (call.kind !== other.call.kind) return call.kind === 'deadline';
  return by < 0 || (by === 0 && spot.id < other.spot.id);
}

const urgency = (call: Call): number => (call.kind === 'deadline' ? call.inMs : -call.behind);
