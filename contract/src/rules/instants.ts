import { localTime } from './zone.ts';

/** `2026-10-01T08:30:15.250Z`, as devices write instants: its length, and that of what precedes the minutes. */
const USUAL_LENGTH = 24;
const HOUR_LENGTH = 14;
const SECONDS_AT = 17;
const MS_AT = 20;
const ZERO = 48;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Offsets of time zones are multiples of it, whatever the year since 1972. */
const QUARTER_MS = 900_000;

/** The number that digits of a text write; NaN if others are among them. */
function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Reads many instants of one hour after the other, several times as fast as `Date.parse`, with the same results. */
export class InstantReader {
  #hour = '';
  #startsAt = Number.NaN;

  /** Milliseconds since 1970; NaN if it is no instant. */
  read(text: string): number {
    if (text.length !== USUAL_LENGTH || text[USUAL_LENGTH - 1] !== 'Z') return Date.parse(text);
    const hour = text.slice(0, HOUR_LENGTH);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#startsAt = Date.parse(`${hour}00:00.000Z`);
    }
    const isUsual = text[SECONDS_AT - 1] === ':' && text[MS_AT - 1] === '.';
    const ms = digits(text, HOUR_LENGTH, 2) * MINUTE_MS + digits(text, SECONDS_AT, 2) * 1000 + digits(text, MS_AT, 3);
    const isWithin = isUsual && ms < HOUR_MS && text.charCodeAt(SECONDS_AT) < ZERO + 6;
    return isWithin ? this.#startsAt + ms : Date.parse(text);
  }
}

/** Tells the days of many instants by the clock of a time zone. */
export class DayClock {
  readonly #timeZone: string;
  readonly #days = new Map<number, string>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** `YYYY-MM-DD`. */
  dayOf(instant: number): string {
    const quarter = Math.floor(instant / QUARTER_MS);
    const known = this.#days.get(quarter);
    if (known !== undefined) return known;
    const day = localTime(instant, this.#timeZone).date;
    this.#days.set(quarter, day);
    return day;
  }
}
