import { type ClockSpan, spansCover } from './clock.ts';
import { localTime } from './zone.ts';

/** A level in percent for a part of every day, by the wall clock of a device. */
export interface LevelSpan extends ClockSpan {
  value: number;
}

/** The volume or brightness (0 to 100) at an instant (milliseconds since 1970); null leaves it as it is. */
export function levelAt(
  level: number | null | undefined,
  spans: readonly LevelSpan[] | undefined,
  now: number,
  timeZone: string,
): number | null {
  if (!spans || spans.length === 0) return level ?? null;
  const { minutes } = localTime(now, timeZone);
  return spans.find((span) => spansCover(() => [span], minutes))?.value ?? level ?? null;
}
