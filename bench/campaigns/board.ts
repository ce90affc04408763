/** The state of all pairs of campaign and device, shared by the threads. Open time in milliseconds since the start. */
export interface Board {
  everyMs: Float64Array;
  dueBefore: Float64Array;
  /** Open time at which the pace began. */
  fromMs: Float64Array;
  played: Float64Array;
  /** Open time at which the last spot began; negative before the first. */
  lastMs: Float64Array;
}

export type Shared = Record<keyof Board, SharedArrayBuffer>;

const each = <T>(make: (field: keyof Board) => T): Record<keyof Board, T> => ({
  everyMs: make('everyMs'),
  dueBefore: make('dueBefore'),
  fromMs: make('fromMs'),
  played: make('played'),
  lastMs: make('lastMs'),
});

export const makeShared = (pairs: number): Shared =>
  each(() => new SharedArrayBuffer(pairs * Float64Array.BYTES_PER_ELEMENT));

export const openBoard = (shared: Shared): Board => each((field) => new Float64Array(shared[field]));

/** What the screens of one hour showed. */
export interface Seen {
  /** Hours in which a campaign that was on time played as many spots as became due, to within one, and others. */
  steadyHours: number;
  unsteadyHours: number;
  /** Hours of a pace that leaves no time for another item between two spots. */
  impossibleHours: number;
  /** The most spots by which an hour of a campaign that was on time differed from its rate. */
  furthest: number;
  /** Hours in which a campaign that was behind played more than twice its rate. */
  rushedHours: number;
  /** Spots that followed one of the same campaign. */
  twice: number;
  spots: number;
  fills: number;
  onMs: number;
  fillMs: number;
  /** The least share of fill on a device that was on all the hour. */
  leastFill: number;
}

export const nothingSeen = (): Seen => ({
  ...{
    steadyHours: 0,
    unsteadyHours: 0,
    impossibleHours: 0,
    furthest: 0,
    rushedHours: 0,
    twice: 0,
    spots: 0,
    fills: 0,
    onMs: 0,
    fillMs: 0,
    leastFill: 1,
  },
});

export function addSeen(sum: Seen, more: Seen): void {
  const { leastFill, furthest } = sum;
  for (const key of Object.keys(more) as (keyof Seen)[]) sum[key] += more[key];
  sum.leastFill = Math.min(leastFill, more.leastFill);
  sum.furthest = Math.max(furthest, more.furthest);
}
