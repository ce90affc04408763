import {
  monthAfter,
  amountsByMonth,
  daysOfMonths,
  type Earning,
  FIRST_MONTH,
  gapOf,
  isWithinMonths,
  type Revenue,
  REVENUE_MONTHS_DEFAULT,
  type RevenueMonths,
  type RevenueRow,
  sumAmounts,
  sumEarnings,
  sumRevenue,
  utcDate,
} from '@ams/contract';
import type { Scoped } from '../platform/auth/scope.ts';
import { atOneMoment, type Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';
import { type EarningRow, findCarrierClasses, findEarnings } from './revenue.queries.ts';
import { type CarrierClass, later, spreadByDay } from './statement.order.ts';

/** No clock is further ahead of UTC. */
const FURTHEST_AHEAD_MS = 14 * 3_600_000;

const termsOf = ({ price, ordered, schedule, bookedOn, cancelledOn }: EarningRow): Earning['terms'] => ({
  ...{ price, ordered, schedule, bookedOn, cancelledOn },
});

const earningOf = (row: EarningRow): Earning => ({ terms: termsOf(row), plays: row.plays });

/** A campaign as if it played what was ordered. */
async function plannedOf(row: EarningRow, classes: readonly CarrierClass[]): Promise<Earning> {
  const { ordered: plays, schedule, decidedAt } = row;
  const terms = termsOf(row);
  const bookedAt = Date.parse(decidedAt ?? `${schedule.from}T00:00:00Z`);
  const days = [...(await spreadByDay({ plays, schedule, bookedAt, dueUntil: Infinity }, classes))];
  const months = Map.groupBy(
    days.filter(([day]) => terms.cancelledOn === null || day <= terms.cancelledOn),
    ([day]) => day.slice(0, 7),
  );
  return {
    terms,
    plays: [...months].map(([month, own]) => ({ month, plays: own.reduce((sum, [, count]) => sum + count, 0) })),
  };
}

/** A row for each customer and currency, by name. Campaigns without an amount, such as those to come, make none. */
function rowsOf(campaigns: readonly EarningRow[], months: readonly string[], period: { from: string; to: string }) {
  const counted = campaigns.filter((row) => amountsByMonth(earningOf(row), period).size > 0);
  const customers = [...Map.groupBy(counted, ({ customer }) => customer.id).values()];
  const rows = customers.flatMap((own): RevenueRow[] => {
    const [first] = own;
    if (!first) return [];
    return sumEarnings(own.map(earningOf), months, period).map((sums) => ({
      customer: first.customer,
      campaigns: own.filter(({ price }) => price.currency === sums.currency).length,
      ...sums,
    }));
  });
  return rows.toSorted((a, b) => a.customer.username.localeCompare(b.customer.username));
}

/** Customers with running campaigns that lag behind their plan or cannot be delivered in full. */
function behindOf(campaigns: readonly EarningRow[]): Revenue['behind'] {
  const late = campaigns.flatMap(({ id, name, customer, progress }) => {
    if (!progress || (progress.short === 0 && gapOf(progress) >= 0)) return [];
    return [{ customer, campaign: { id, name, missing: Math.max(progress.short, progress.due - progress.delivered) } }];
  });
  return [...Map.groupBy(late, ({ customer }) => customer.id).values()]
    .flatMap((own) => {
      const [first] = own;
      const missing = own.reduce((sum, { campaign }) => sum + campaign.missing, 0);
      return first ? [{ customer: first.customer, missing, campaigns: own.map(({ campaign }) => campaign) }] : [];
    })
    .toSorted((a, b) => b.missing - a.missing);
}

/** What this month has given up to a day, and what its orders would give in full. */
async function currentMonth(db: Db, campaigns: readonly EarningRow[], month: string, today: string) {
  const whole = daysOfMonths(month, month);
  const current = campaigns.filter((row) => amountsByMonth(earningOf(row), whole).size > 0);
  const classes = await findCarrierClasses(
    db,
    current.map(({ id }) => id),
  );
  const planned: Earning[] = [];
  for (const row of current) planned.push(await plannedOf(row, classes.get(row.id) ?? []));
  const delivered = sumEarnings(current.map(earningOf), [month], daysOfMonths(month, month, today));
  const sums = sumEarnings(planned, [month], whole).map(({ currency, amount: ordered }) => ({
    ...{ currency, ordered },
    delivered: delivered.find((own) => own.currency === currency)?.amount ?? sumAmounts([], currency),
  }));
  return { month, sums };
}

/**
 * Amounts by month and customer of the campaigns in scope: those of their statements for the same months, this month up
 * to today. Months to come have none. Throws `INVALID` for too many months.
 */
export async function getRevenue(
  db: Db,
  viewer: Scoped,
  { from, to }: RevenueMonths,
  now = Date.now(),
): Promise<Revenue> {
  const today = utcDate(now + FURTHEST_AHEAD_MS);
  const month = utcDate(now).slice(0, 7);
  const last = to !== undefined && to < month ? to : month;
  const first = from ?? later(monthAfter(last, 1 - REVENUE_MONTHS_DEFAULT), FIRST_MONTH);
  // Only now both ends are known.
  if (!isWithinMonths({ from: first, to: last })) throw invalidField('to', 'revenue.months');
  const months: string[] = [];
  for (let each = first; each <= last; each = monthAfter(each, 1)) months.push(each);
  const period = daysOfMonths(first, last, today);
  const { campaigns, current } = await atOneMoment(db, async (trx) => {
    const all = await findEarnings(trx, viewer, period.from, daysOfMonths(month, month).to);
    return { campaigns: all, current: await currentMonth(trx, all, month, today) };
  });
  const rows = rowsOf(campaigns, months, period);
  return {
    ...period,
    months,
    rows,
    totals: sumRevenue(rows),
    now: current,
    behind: behindOf(campaigns),
  };
}
