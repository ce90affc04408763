/** Calendar dates as `YYYY-MM-DD`. */

const two = (value: number): string => String(value).padStart(2, '0');

/** The day of an instant in the browser's time zone. */
export const isoOf = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Whole years around the one of `today`. */
export function pickerRange(today: string, years: number): { min: string; max: string } {
  const year = Number(today.slice(0, 4));
  return { min: `${year - years}-01-01`, max: `${year + years}-12-31` };
}
