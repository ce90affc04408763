import {
  type Campaign,
  type Charge,
  chargesOf,
  lastCovered,
  type StatementPeriod,
  sumAmounts,
  type Terms,
} from '@ams/contract';
import { daysOf, earlier, later } from './statement.order.ts';
import type { Delivered } from './statement.queries.ts';

/** What was agreed and booked. */
export type Agreed = Pick<Campaign, 'schedule' | 'price'> & Pick<Terms, 'ordered' | 'bookedOn' | 'cancelledOn'>;

/**
 * The days that are asked for; left out, all on which the flight runs and all with plays. `days`: those of them that have
 * anything to show. `scanned`: codes can still be scanned after the flight.
 */
export function periodOf(
  { from, to }: StatementPeriod,
  { schedule }: Pick<Agreed, 'schedule'>,
  delivered: readonly Delivered[],
  scanned: readonly string[] = [],
) {
  const days = delivered.flatMap(({ day }) => day ?? []);
  const [first, last] = [days.reduce(earlier, schedule.from), days.reduce(later, lastCovered(schedule))];
  const period = { from: from ?? earlier(first, to ?? first), to: to ?? later(last, from ?? last) };
  const [begin, end] = [scanned.reduce(earlier, first), scanned.reduce(later, last)];
  return { period, days: daysOf(later(period.from, begin), earlier(period.to, end)) };
}

/** Plays of the whole campaign by day. */
export const playsByDay = (delivered: readonly Delivered[]): { day: string; plays: number }[] =>
  delivered.flatMap(({ day, allPlays }) => (day === null ? [] : [{ day, plays: allPlays }]));

/** What is charged for a period, and the sum of it. */
export function chargedIn(
  agreed: Agreed,
  delivered: readonly Delivered[],
  period: { from: string; to: string },
): { lines: Charge[]; amount: string } {
  const lines = chargesOf(agreed, playsByDay(delivered), period);
  const amounts = lines.map(({ amount }) => amount);
  return { lines, amount: sumAmounts(amounts, agreed.price.currency) };
}
