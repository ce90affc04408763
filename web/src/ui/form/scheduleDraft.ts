import { Schedule } from '@ams/contract';
import type { z } from 'zod';

export interface Span {
  /** Tells spans apart while they are edited. */
  id: number;
  from: string;
  to: string;
}

/** A schedule as it is typed: empty fields say nothing. */
export interface ScheduleDraft {
  from: string;
  to: string;
  weekdays: readonly number[];
  hours: readonly Span[];
}

export const NO_SCHEDULE: ScheduleDraft = { from: '', to: '', weekdays: [], hours: [] };

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

export const toggled = <T>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];

/** The schedule to send: null when it has no limits. Seven weekdays are the same as none. */
export function scheduleOf({ from, to, weekdays, hours }: ScheduleDraft): Schedule | null {
  const some = weekdays.length > 0 && weekdays.length < WEEKDAYS.length;
  if (!from && !to && !some && hours.length === 0) return null;
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(some && { weekdays: weekdays.toSorted((a, b) => a - b) }),
    ...(hours.length > 0 && { hours: hours.map(({ from: begin, to: end }) => ({ from: begin, to: end })) }),
  };
}

/** Problems of a schedule according to the contract. */
export const scheduleIssues = (draft: ScheduleDraft): z.core.$ZodIssue[] =>
  Schedule.nullable().safeParse(scheduleOf(draft)).error?.issues ?? [];
