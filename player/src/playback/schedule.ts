import { type Programme, covers, playingNow } from '@ams/contract';

export interface Timetable {
  /** The playing releases, in order. */
  playing: Programme[];
  /** Releases that play once, have done so, and whose time has not ended since. */
  finished: ReadonlySet<string>;
}

/**
 * The programmes of a screen at an instant (milliseconds since 1970). A release that plays once counts until
 * it has; then what was before it comes back. When its schedule ends it is forgotten, so that one
 * that plays once a day does so every day.
 */
export function timetable(
  programmes: readonly Programme[],
  finished: ReadonlySet<string>,
  now: number,
  timeZone: string,
): Timetable {
  const stillFinished = programmes
    .filter(({ releaseId, schedule }) => finished.has(releaseId) && covers(schedule, now, timeZone))
    .map(({ releaseId }) => releaseId);
  const done = new Set(stillFinished);
  return {
    playing: playingNow(
      programmes.filter(({ releaseId }) => !done.has(releaseId)),
      now,
      timeZone,
    ),
    finished: done,
  };
}
