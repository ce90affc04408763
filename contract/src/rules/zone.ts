const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Wall-clock reading of an instant in a time zone. `weekday` is ISO 8601: 1 Monday … 7 Sunday. */
export interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Minutes since local midnight as the clock shows them, 0–1439. */
  readonly minutes: number;
  readonly weekday: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
/** There are about 600 names. Upper and lower case are the same, so that there are millions of spellings. */
const ZONES_MAX = 1000;

function formatter(timeZone: string): Intl.DateTimeFormat {
  let made = formatters.get(timeZone);
  if (!made) {
    if (formatters.size >= ZONES_MAX) formatters.clear();
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

/** Readings of clocks by zone and minute: those who compute a calendar ask for the same ones again and again. */
const readings = new Map<string, Map<number, LocalTime>>();
const READINGS_MAX = 5000;

function readingsOf(timeZone: string): Map<number, LocalTime> {
  const known = readings.get(timeZone);
  if (known && known.size < READINGS_MAX) return known;
  const made = new Map<number, LocalTime>();
  if (readings.size >= ZONES_MAX) readings.clear();
  readings.set(timeZone, made);
  return made;
}

/** Local date and time in a zone at `instant` (milliseconds since 1970). */
export function localTime(instant: number, timeZone: string): LocalTime {
  const ofZone = readingsOf(timeZone);
  const minute = Math.floor(instant / MINUTE_MS);
  const reading = ofZone.get(minute) ?? readClock(instant, timeZone);
  ofZone.set(minute, reading);
  return reading;
}

const YEAR_DIGITS = 4;

function readClock(instant: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatter(timeZone)
      .formatToParts(instant)
      .map((p) => [p.type, p.value]),
  );
  // Formatters write years without zeros before them.
  const date = `${parts['year']?.padStart(YEAR_DIGITS, '0')}-${parts['month']}-${parts['day']}`;
  return {
    date,
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
    weekday: isoWeekday(date),
  };
}

/** The latest date of clocks in these zones at `instant` (milliseconds since 1970); without any, that of UTC. */
export const latestDate = (instant: number, timeZones: Iterable<string>): string =>
  Array.from(timeZones, (timeZone) => localTime(instant, timeZone).date)
    .toSorted()
    .at(-1) ?? utcDate(instant);

/** ISO weekday of a calendar date. */
export function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The calendar date of an instant in UTC. */
export const utcDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** The calendar date `days` later. Throws `RangeError` for what is no date. */
export function addDays(date: string, days: number): string {
  return utcDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

/** Days from one calendar date to another; 0 for the same one. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** Local time in a zone at an instant (milliseconds since 1970), to the minute, encoded as if it were UTC. */
export function shownAt(instant: number, timeZone: string): number {
  const { date, minutes } = localTime(instant, timeZone);
  return Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
}

/** The first instant after `before`, and not after `after`, whose clock is past `passed`. */
function firstPast(passed: (instant: number) => boolean, before: number, after: number): number {
  let [low, high] = [before, after];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (passed(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The instants (milliseconds since 1970) of a local `date` and `minutes` since midnight, in order: two if daylight saving
 * repeats the hour, the first one after the gap if it skips the hour.
 */
export function zonedInstants(date: string, minutes: number, timeZone: string): number[] {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
  // The offsets in force a day before and a day after are the only ones that can count.
  const guesses = [wanted - DAY_MS, wanted + DAY_MS].map((near) => wanted - (shownAt(near, timeZone) - near));
  const exact = guesses.filter((guess) => shownAt(guess, timeZone) === wanted);
  if (exact.length > 0) return [...new Set(exact)].toSorted((a, b) => a - b);
  const skipped = (instant: number) => shownAt(instant, timeZone) > wanted;
  return [firstPast(skipped, Math.min(...guesses) - MINUTE_MS, Math.max(...guesses) + MINUTE_MS)];
}

/** The first of the instants that `zonedInstants` finds. */
export const zonedInstant = (date: string, minutes: number, timeZone: string): number =>
  Math.min(...zonedInstants(date, minutes, timeZone));

/** The instant on a local day at which the offset from UTC changes, or undefined when it does not. */
export function offsetChange(date: string, timeZone: string): number | undefined {
  const offset = (instant: number) => shownAt(instant, timeZone) - instant;
  const begin = zonedInstant(date, 0, timeZone) - MINUTE_MS;
  const end = zonedInstant(addDays(date, 1), 0, timeZone);
  if (offset(begin) === offset(end)) return undefined;
  return firstPast((instant) => offset(instant) !== offset(begin), begin, end);
}

/** The instants of a local day at which the clock shows one of these minutes of the day (0–1439), or jumps. */
export function instantsOn(date: string, minutes: readonly number[], timeZone: string): number[] {
  const change = offsetChange(date, timeZone);
  const instants = minutes.flatMap((minute) => zonedInstants(date, minute, timeZone));
  return change === undefined ? instants : [...instants, change];
}
