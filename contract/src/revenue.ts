import { z } from 'zod';
import { GivenMonth } from './kernel/time.ts';
import { UserRef } from './users.ts';

/** Months of one answer. */
export const REVENUE_MONTHS_MAX = 36;
/** Months of an answer that names none. */
export const REVENUE_MONTHS_DEFAULT = 6;

/** No month is before it. */
export const FIRST_MONTH = '0001-01';

const Month = GivenMonth('schedule.date');

/** Calendar months (`YYYY-MM`), both included; left out: the last ones up to this month. */
export const RevenueMonths = z.object({ from: Month.optional(), to: Month.optional() });
export type RevenueMonths = z.output<typeof RevenueMonths>;

const MONTHS_A_YEAR = 12;
const numberOf = (month: string): number => Number(month.slice(0, 4)) * MONTHS_A_YEAR + Number(month.slice(5)) - 1;

/** The month that is a number of months after another one, or before it. */
export function monthAfter(month: string, months: number): string {
  const sum = numberOf(month) + months;
  const year = String(Math.floor(sum / MONTHS_A_YEAR)).padStart(4, '0');
  return `${year}-${String((sum % MONTHS_A_YEAR) + 1).padStart(2, '0')}`;
}

export const isMonthOrder = ({ from, to }: RevenueMonths): boolean =>
  from === undefined || to === undefined || from <= to;
export const isWithinMonths = ({ from, to }: RevenueMonths): boolean =>
  from === undefined || to === undefined || numberOf(to) - numberOf(from) < REVENUE_MONTHS_MAX;
export const MONTHS_TOO_MANY = { path: ['to'], error: 'revenue.months' };

/** Amounts of one currency, as decimal texts with its decimals: one for each month, and their sum. */
const Amounts = z.object({ currency: z.string(), amounts: z.array(z.string()), amount: z.string() });
export type RevenueAmounts = z.output<typeof Amounts>;

/** A customer in one currency. */
const RevenueRow = Amounts.extend({ customer: UserRef, campaigns: z.number().int() });
export type RevenueRow = z.output<typeof RevenueRow>;

/**
 * Amounts that campaigns give by month and customer. An amount is the sum of what the statements of its campaigns have for the
 * month, of this month up to `to`. Amounts of different currencies are never added.
 */
export const Revenue = z.object({
  from: z.iso.date(),
  /** At most today, where it is latest. */
  to: z.iso.date(),
  /** `YYYY-MM`, oldest first. */
  months: z.array(z.string()),
  rows: z.array(RevenueRow),
  totals: z.array(Amounts),
  /** This month: what was delivered so far, and what it would give if every campaign plays as ordered. */
  now: z.object({
    month: z.string(),
    sums: z.array(z.object({ currency: z.string(), delivered: z.string(), ordered: z.string() })),
  }),
  /** Customers with running campaigns behind their plan, those with the most missing plays first. */
  behind: z.array(
    z.object({
      customer: UserRef,
      missing: z.number().int(),
      campaigns: z.array(z.object({ id: z.uuid(), name: z.string(), missing: z.number().int() })),
    }),
  ),
});
export type Revenue = z.output<typeof Revenue>;

export const revenueFileName = ({ from, to }: Pick<Revenue, 'from' | 'to'>): string => `revenue ${from} ${to}`;
