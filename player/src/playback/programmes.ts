import { type Manifest, type Programme, type Screen, isDark, isWithinHours } from '@ams/contract';
import type { Stage } from './stage.ts';
import type { Finished } from '../store/ports.ts';
import { timetable } from './schedule.ts';

/** Whether a device is dark on purpose at an instant (milliseconds since 1970): outside its working hours. */
export const isOutsideHours = ({ workingHours, timeZone }: Manifest, now: number): boolean =>
  !isWithinHours(workingHours ?? null, now, timeZone);

export interface Playing {
  manifest: Manifest;
  screen: Screen;
}

/** Applies the timetable to the stage, only when the programmes that play have changed. */
export function makeProgrammes(stage: Stage, restored: Finished, keepFinished: (finished: Finished) => void) {
  let finished = restored;
  let shown = '[]';

  const tell = (programmes: readonly Programme[]) => {
    const key = JSON.stringify(programmes);
    if (key === shown) return;
    shown = key;
    stage.show(programmes);
  };

  return {
    /** A release that plays once has done so at an instant (milliseconds since 1970). */
    finish(releaseId: string, now: number): void {
      finished = { ...finished, [releaseId]: now };
      keepFinished(finished);
    },
    /** Programmes to play at an instant (milliseconds since 1970); none without a manifest or outside the hours. */
    update(playing: Playing | undefined, now: number): void {
      if (!playing) return tell([]);
      const { manifest, screen } = playing;
      // In the dark, too: what plays once a day is forgotten when its time ends.
      const next = timetable(manifest.screens[screen], finished, now, manifest.timeZone);
      const isForgotten = Object.keys(next.finished).length < Object.keys(finished).length;
      ({ finished } = next);
      if (isForgotten) keepFinished(finished);
      tell(isDark(manifest, now) || isOutsideHours(manifest, now) ? [] : next.playing);
    },
  };
}
