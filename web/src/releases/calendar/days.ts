import { addDays, type CalendarSlot, isoWeekday, zonedInstant } from '@ams/contract';

export const CALENDAR_VIEWS = ['day', 'week'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

const DAYS_IN: Record<CalendarView, number> = { day: 1, week: 7 };

/** The first and the last day that a view shows for a date: the date itself, or its week from Monday to Sunday. */
export function rangeOf(view: CalendarView, date: string): { from: string; to: string } {
  const from = view === 'day' ? date : addDays(date, 1 - isoWeekday(date));
  return { from, to: addDays(from, DAYS_IN[view] - 1) };
}

/** The same view, `steps` days or weeks later. */
export const stepFrom = (view: CalendarView, date: string, steps: number): string =>
  addDays(date, steps * DAYS_IN[view]);

/** The part of a slot on one day. Instants in milliseconds since 1970; `start` and `length` are shares of the day, 0 to 1. */
export interface Piece {
  slot: CalendarSlot;
  from: number;
  to: number;
  start: number;
  length: number;
}

export interface CalendarDay {
  /** `YYYY-MM-DD` */
  date: string;
  pieces: Piece[];
  /** The place of `at` on this day, 0 to 1; undefined on other days. */
  now: number | undefined;
}

/** The days `from` to `to` of a time zone, each with its parts of the slots. `at`: this moment. */
export function daysOf(
  slots: readonly CalendarSlot[],
  timeZone: string,
  { from, to }: { from: string; to: string },
  at: number,
): CalendarDay[] {
  const days: CalendarDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const begin = zonedInstant(date, 0, timeZone);
    const end = zonedInstant(addDays(date, 1), 0, timeZone);
    const share = (instant: number): number => (instant - begin) / (end - begin);
    const pieces = slots.flatMap((slot): Piece[] => {
      const [first, last] = [Math.max(Date.parse(slot.from), begin), Math.min(Date.parse(slot.to), end)];
      return first < last
        ? [{ slot, from: first, to: last, start: share(first), length: share(last) - share(first) }]
        : [];
    });
    days.push({ date, pieces, now: at >= begin && at < end ? share(at) : undefined });
  }
  return days;
}

/** The hour with which the columns of a day begin to be of interest: the one before now, or else before what plays first. */
export function firstHour(days: readonly CalendarDay[]): number {
  const programmes = days.flatMap(({ pieces }) => pieces.filter(({ slot }) => PROGRAMMES.has(slot.state)));
  const starts = programmes.map(({ start }) => start);
  const share = days.find(({ now }) => now !== undefined)?.now ?? Math.min(...starts, 1);
  return share === 1 ? 0 : Math.max(0, Math.floor(share * 24) - 1);
}

const PROGRAMMES: ReadonlySet<CalendarSlot['state']> = new Set(['played', 'plays']);
