import { type Programme, coversThroughout, playingNow } from '@ams/contract';
import type { Finished } from '../store/ports.ts';

export interface Timetable {
  /** The playing releases, in order. */
  playing: Programme[];
  /** Releases that play once, have done so, and whose time has not ended since; known until this instant. */
  finished: Finished;
}

/**
 * The programmes of a screen at an instant (milliseconds since 1970). A release that plays once counts until
 * it has; then what was before it comes back. When its schedule ends it is forgotten, so that one
 * that plays once a day does so every day, also if the device was off when its time ended.
 */
export function timetable(
  programmes: readonly Programme[],
  finished: Finished,
  now: number,
  timeZone: string,
): Timetable {
  const isFinished = ({ releaseId, schedule }: Programme): boolean => {
    const since = finished[releaseId];
    return since !== undefined && coversThroughout(schedule, Math.min(since, now), now, timeZone);
  };
  const done = programmes.filter(isFinished);
  return {
    playing: playingNow(
      programmes.filter((programme) => !done.includes(programme)),
      now,
      timeZone,
    ),
    finished: Object.fromEntries(done.map(({ releaseId }) => [releaseId, now])),
  };
}
