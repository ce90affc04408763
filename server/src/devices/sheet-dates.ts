import { plainDigits } from '@ams/contract';
import type { Cell } from '../platform/spreadsheets/spreadsheet.ts';

/** Separators of year, month and day in all languages. */
const SIGNS = /^[\s./\-年月日년월일]+$/u;
const PARTS = /^(\d{1,4})([^\d]+)(\d{1,2})([^\d]+)(\d{1,4})(?:\D.*)?$/u;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/** A date with plain digits, without marks of the writing direction. */
const plainDate = (text: string): string =>
  plainDigits(text)
    .replace(/[\u200e\u200f\u061c]/g, '')
    .trim();

/** `YYYY-MM-DD` of a day that exists. */
function calendarDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year >= 1000 ? date.toISOString().slice(0, 10) : undefined;
}

/** Two numbers of which only one can be the month; with dots, the day always comes first. */
function dayAndMonth(first: number, second: number, sign: string): { day: number; month: number } | undefined {
  if (sign.trim() === '.' || first > 12 || first === second) return { day: first, month: second };
  return second > 12 ? { day: second, month: first } : undefined;
}

/**
 * The date in a cell as `YYYY-MM-DD`: `2027-01-31`, `20270131`, a local writing such as `31.1.2027` or `2027年1月31日`,
 * with or without a time of day behind it. Undefined when it is none, or one that others read differently (`1/2/2027`).
 */
export function readDate(cell: Cell): string | undefined {
  const text = plainDate(String(cell ?? ''));
  const compact = COMPACT.exec(text);
  if (compact) return calendarDate(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  const [, first = '', sign = '', second = '', otherSign = '', third = ''] = PARTS.exec(text) ?? [];
  if (!SIGNS.test(sign) || !SIGNS.test(otherSign)) return undefined;
  if (first.length === 4) return calendarDate(Number(first), Number(second), Number(third));
  const order = third.length === 4 ? dayAndMonth(Number(first), Number(second), sign) : undefined;
  return order && calendarDate(Number(third), order.month, order.day);
}
