import { dateFormat } from '../../platform/intl.ts';

/** A part of a calendar date that has a column of its own in the wheel. */
export type DatePart = 'year' | 'month' | 'day';

/** `month` is 1 to 12. */
type DateParts = Record<DatePart, number>;

const PARTS: readonly DatePart[] = ['year', 'month', 'day'];

/** Noon UTC, so that no time zone moves the day. */
const at = ({ year, month, day }: DateParts): Date => new Date(Date.UTC(year, month - 1, day, 12));

/** Reads a calendar date, `YYYY-MM-DD`. */
export function partsOf(date: string): DateParts {
  const [year = 1, month = 1, day = 1] = date.split('-').map(Number);
  return { year, month, day };
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Every value that a column offers, in ascending order. `min` and `max` are the first and the last day of a year. */
export function valuesOf(part: DatePart, date: string, range: { min: string; max: string }): number[] {
  const { year, month } = partsOf(date);
  const bounds: Record<DatePart, readonly [first: number, last: number]> = {
    year: [partsOf(range.min).year, partsOf(range.max).year],
    month: [1, 12],
    day: [1, daysIn(year, month)],
  };
  const [first, last] = bounds[part];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The date with one part changed; a day that the month does not have becomes its last one. */
export function withPart(date: string, part: DatePart, value: number): string {
  const parts = { ...partsOf(date), [part]: value };
  const day = Math.min(parts.day, daysIn(parts.year, parts.month));
  return at({ ...parts, day })
    .toISOString()
    .slice(0, 10);
}

/** The order in which a language writes the parts of a date. */
export function orderOf(language: string): DatePart[] {
  const written = dateFormat(language, { year: 'numeric', month: 'short', day: 'numeric' });
  return written.formatToParts(0).flatMap(({ type }) => PARTS.filter((part) => part === type));
}

/** The name of a part, such as 'year'. */
export const nameOf = (language: string, part: DatePart): string =>
  new Intl.DisplayNames(language, { type: 'dateTimeField' }).of(part) ?? part;

/** Writes the values of a part as a language does: '2026年', 'November', '21'. */
export function writerOf(language: string, part: DatePart): (value: number) => string {
  const format = dateFormat(language, {
    [part]: part === 'month' ? 'long' : 'numeric',
    timeZone: 'UTC',
  });
  return (value) => format.format(at({ year: 2000, month: 1, day: 1, [part]: value }));
}
