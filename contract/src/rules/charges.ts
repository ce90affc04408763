import { Big } from 'big.js';
import type { CampaignPrice } from '../campaigns.ts';
import { minorUnits } from '../money.ts';
import { addDays, daysBetween } from './zone.ts';

/** More digits than decide a half: amounts have at most 18, flights at most three. */
const QUOTIENT_DECIMALS = 40;
const PER_THOUSAND = 1000;

const Decimal = Big();
Decimal.DP = QUOTIENT_DECIMALS;
Decimal.RM = Big.roundHalfEven;

/** What was agreed for a campaign. Dates are days of its devices, `YYYY-MM-DD`, the last ones included. */
export interface Terms {
  price: CampaignPrice;
  /** Plays that are charged at most: what is delivered beyond the order is free. */
  ordered: number;
  schedule: { from: string; to: string };
  /** The day on which the flight was booked, the first one that is charged if it had begun; null: it was not. */
  bookedOn: string | null;
  /** The day on which the flight was cancelled, the last one that is charged; null: it was not. */
  cancelledOn: string | null;
}

export interface Period {
  from: string;
  to: string;
}

/** Plays of a campaign on one day. */
export interface DayPlays {
  day: string;
  plays: number;
}

/** A line of a statement: what is charged for a calendar month, or for the part of it that is in the period. */
export interface Charge extends Period {
  /** Plays that were delivered. */
  plays: number;
  /** Those of them that are charged. */
  charged: number;
  /** Days of the flight that are charged if the price is fixed. */
  days: number;
  /** In whole minor units of the currency. */
  amount: string;
}

/** A decimal in whole minor units of its currency, with all of them: halves go to the even one. */
const rounded = (value: Big, currency: string): string => value.toFixed(minorUnits(currency), Big.roundHalfEven);

/** The exact sum of amounts of one currency; `0.00` of none. */
export const sumAmounts = (amounts: readonly string[], currency: string): string =>
  rounded(
    amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)),
    currency,
  );

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/** The calendar months of a period; its first and last one may be parts of a month. */
export function monthsOf({ from, to }: Period): Period[] {
  const months: Period[] = [];
  for (let start = from; start <= to;) {
    const month = start.slice(0, 7);
    const next = addDays(`${month}-01`, 31).slice(0, 7);
    // None follows the last month of the year 9999: the year after it has five digits, and a sign.
    if (next < month) return [...months, { from: start, to }];
    months.push({ from: start, to: earlier(addDays(`${next}-01`, -1), to) });
    start = `${next}-01`;
  }
  return months;
}

/** The first day of the flight that is charged: one that had begun was booked for the rest of it. */
const firstDay = ({ schedule: { from, to }, bookedOn }: Terms): string => earlier(later(from, bookedOn ?? from), to);

/** Days of the flight up to and including a day, as far as they are charged. */
function daysThrough(terms: Terms, day: string): number {
  const { schedule, cancelledOn } = terms;
  const last = earlier(day, earlier(schedule.to, cancelledOn ?? schedule.to));
  return Math.max(daysBetween(firstDay(terms), last) + 1, 0);
}

/** The part of a fixed price for the first days that are charged. Differences of two of them add up to the price. */
function fixedThrough(terms: Terms, days: number): string {
  const { price, schedule } = terms;
  const whole = daysBetween(firstDay(terms), schedule.to) + 1;
  return rounded(new Decimal(price.amount).times(days).div(whole), price.currency);
}

function amountOf(terms: Terms, month: Period, charged: number): string {
  const { kind, amount, currency } = terms.price;
  switch (kind) {
    case 'perPlay':
      return rounded(new Decimal(amount).times(charged), currency);
    case 'perThousand':
      return rounded(new Decimal(amount).times(charged).div(PER_THOUSAND), currency);
    case 'fixed': {
      const before = fixedThrough(terms, daysThrough(terms, addDays(month.from, -1)));
      return rounded(new Decimal(fixedThrough(terms, daysThrough(terms, month.to))).minus(before), currency);
    }
  }
}

/**
 * The lines of a statement for a period, one for each calendar month of the flight or with plays: their sum is the total.
 *
 * - A price per play or per thousand plays: price × plays, halves to the even minor unit, once per line. Plays beyond the
 *   order, or after the day on which it was cancelled, are not charged: a device without a network plays on.
 * - A fixed price: the part of the days of the flight, from its booking on, up to the end of the line, less the part of
 *   those before it, so that lines add up to the price however the flight is divided.
 *
 * `delivered`: plays of the whole campaign, in any order; those before the period count towards the order.
 */
export function chargesOf(terms: Terms, delivered: readonly DayPlays[], period: Period): Charge[] {
  const days = delivered.map(({ day }) => day);
  const first = days.reduce(earlier, terms.schedule.from);
  const last = days.reduce(later, terms.schedule.to);
  const sum = (isIn: (day: string) => boolean): number =>
    delivered.reduce((plays, each) => plays + (isIn(each.day) ? each.plays : 0), 0);
  const { ordered, cancelledOn } = terms;
  const chargedBy = (isIn: (day: string) => boolean): number =>
    Math.min(
      sum((day) => isIn(day) && (cancelledOn === null || day <= cancelledOn)),
      ordered,
    );
  return monthsOf({ from: later(period.from, first), to: earlier(period.to, last) }).map((month) => {
    const charged = chargedBy((day) => day <= month.to) - chargedBy((day) => day < month.from);
    return {
      ...month,
      plays: sum((day) => day >= month.from && day <= month.to),
      charged,
      days: daysThrough(terms, month.to) - daysThrough(terms, addDays(month.from, -1)),
      amount: amountOf(terms, month, charged),
    };
  });
}
