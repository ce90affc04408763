import { monthAfter, type RevenueAmounts } from '../revenue.ts';
import { chargesOf, type Period, sumAmounts, type Terms } from './charges.ts';
import { addDays } from './zone.ts';

/**
 * A campaign with its plays by calendar month (`YYYY-MM`), those before the months in question too; of a cancelled one those
 * that can be charged, until the day on which it was cancelled.
 */
export interface Earning {
  terms: Terms;
  plays: readonly { month: string; plays: number }[];
}

/** The days of calendar months, both included, up to `last` at most. */
export const daysOfMonths = (from: string, to: string, last = '9999-12-31'): Period => {
  const end = addDays(`${monthAfter(to, 1)}-01`, -1);
  return { from: `${from}-01`, to: end < last ? end : last };
};

/** What the statement of a campaign for a period has for each month in which it has a line, in whole minor units. */
export function amountsByMonth({ terms, plays }: Earning, period: Period): Map<string, string> {
  const days = plays.map(({ month, plays: count }) => ({ day: `${month}-01`, plays: count }));
  return new Map(chargesOf(terms, days, period).map(({ from, amount }) => [from.slice(0, 7), amount]));
}

const byCurrency = <T>(rows: readonly T[], currencyOf: (row: T) => string): [string, T[]][] =>
  [...Map.groupBy(rows, currencyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Sums of campaigns by currency, in the order of the currencies: an amount for each of the months, and their sum. */
export const sumEarnings = (
  earnings: readonly Earning[],
  months: readonly string[],
  period: Period,
): RevenueAmounts[] =>
  byCurrency(earnings, ({ terms }) => terms.price.currency).map(([currency, own]) => {
    const lines = own.map((earning) => amountsByMonth(earning, period));
    const amounts = months.map((month) =>
      sumAmounts(
        lines.flatMap((line) => line.get(month) ?? []),
        currency,
      ),
    );
    return { currency, amounts, amount: sumAmounts(amounts, currency) };
  });

/** Totals of rows by currency; all have the same months. */
export const sumRevenue = (rows: readonly RevenueAmounts[]): RevenueAmounts[] =>
  byCurrency(rows, ({ currency }) => currency).map(([currency, own]) => {
    const months = own[0]?.amounts ?? [];
    const amounts = months.map((_, index) =>
      sumAmounts(
        own.flatMap((row) => row.amounts[index] ?? []),
        currency,
      ),
    );
    return { currency, amounts, amount: sumAmounts(amounts, currency) };
  });
