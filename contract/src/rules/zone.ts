/** Wall-clock reading of an instant in a time zone. `weekday` is ISO 8601: 1 Monday … 7 Sunday. */
export interface LocalTime {
  /** `YYYY-MM-DD` */
  date: string;
  /** Minutes since local midnight as the clock shows them, 0–1439. */
  minutes: number;
  weekday: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  let made = formatters.get(timeZone);
  if (!made) {
    made = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formatters.set(timeZone, made);
  }
  return made;
}

export function isTimeZone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch {
    return false;
  }
}

/** Local date and time in a zone at `instant` (milliseconds since 1970). */
export function localTime(instant: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatter(timeZone)
      .formatToParts(instant)
      .map((p) => [p.type, p.value]),
  );
  const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
  return {
    date,
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
    weekday: isoWeekday(date),
  };
}

/** ISO weekday of a calendar date. */
export function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The calendar date `days` later. Throws `RangeError` for what is no date. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * The instant (milliseconds since 1970) of a local `date` and `minutes` since midnight: the first of two if daylight
 * saving repeats the hour, the first one after the gap if it skips the hour.
 */
export function zonedInstant(date: string, minutes: number, timeZone: string): number {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minutes * 60_000;
  /** Local time, encoded as if it were UTC. */
  const shown = (instant: number): number => {
    const { date: day, minutes: minute } = localTime(instant, timeZone);
    return Date.parse(`${day}T00:00:00Z`) + minute * 60_000;
  };
  // The offsets in force a day before and a day after are the only ones that can count.
  const guesses = [wanted - 86_400_000, wanted + 86_400_000].map((near) => wanted - (shown(near) - near));
  const exact = guesses.filter((guess) => shown(guess) === wanted);
  if (exact.length > 0) return Math.min(...exact);
  // Skipped: bisect for the first moment whose clock is past it.
  let [before, after] = [Math.min(...guesses) - 60_000, Math.max(...guesses) + 60_000];
  while (after - before > 60_000) {
    const middle = before + Math.floor((after - before) / 120_000) * 60_000;
    if (shown(middle) > wanted) after = middle;
    else before = middle;
  }
  return after;
}
