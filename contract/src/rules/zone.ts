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

/** What a clock and a calendar on the wall there show at `instant` (milliseconds since 1970). */
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

/** The calendar date `days` later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
