/** Calendar dates as `YYYY-MM-DD`. */

const two = (value: number): string => String(value).padStart(2, '0');

/** The day of an instant in the browser's time zone. */
export const isoOf = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The same day of the month later; the last day of a month that is shorter. */
export function addMonths(iso: string, months: number): string {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.getUTCFullYear()}-${two(first.getUTCMonth() + 1)}-${two(Math.min(day, last))}`;
}

/** Whole years around the one of `today`. */
export function pickerRange(today: string, years: number): { min: string; max: string } {
  const year = Number(today.slice(0, 4));
  return { min: `${year - years}-01-01`, max: `${year + years}-12-31` };
}
