import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { monthAfter } from '../revenue.ts';
import { chargesOf, type Terms } from './charges.ts';
import { daysOfMonths, type Earning, sumEarnings } from './revenue.ts';
import { addDays } from './zone.ts';

const CASES = 2000;
const START = '2026-08-20';
const MONTHS = ['2026-09', '2026-10', '2026-11', '2026-12'];
const PERIOD = daysOfMonths('2026-09', '2026-12');

const day = fc.integer({ min: 0, max: 150 }).map((after) => addDays(START, after));
const terms: fc.Arbitrary<Terms> = fc
  .record({
    kind: fc.constantFrom('perPlay' as const, 'perThousand' as const, 'fixed' as const),
    cents: fc.integer({ min: 0, max: 100_000 }),
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    days: fc.tuple(day, day).map((pair) => pair.toSorted()),
    ordered: fc.integer({ min: 0, max: 5000 }),
    bookedOn: fc.option(day),
    cancelledOn: fc.option(day),
  })
  .map(({ kind, cents, currency, days: [from = START, to = START], ordered, bookedOn, cancelledOn }) => ({
    price: { kind, amount: kind === 'fixed' ? String(cents) : new Big(cents).div(1000).toFixed(), currency },
    ...{ ordered, schedule: { from, to }, bookedOn, cancelledOn },
  }));
const campaign = fc.record({
  terms,
  days: fc.uniqueArray(fc.record({ day, plays: fc.integer({ min: 1, max: 900 }) }), {
    maxLength: 20,
    selector: (each) => each.day,
  }),
});

test('months of the year follow each other', () => {
  expect(monthAfter('2026-11', 2)).toBe('2027-01');
  expect(monthAfter('2026-01', -1)).toBe('2025-12');
  expect(daysOfMonths('2026-02', '2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(daysOfMonths('2026-02', '2026-02', '2026-02-11')).toEqual({ from: '2026-02-01', to: '2026-02-11' });
});

test('amounts of months equal those of the statements to the last digit, each currency apart', () => {
  fc.assert(
    fc.property(fc.array(campaign, { maxLength: 6 }), (campaigns) => {
      const earnings = campaigns.map(({ terms: own, days }): Earning => {
        const charged = days.filter((each) => own.cancelledOn === null || each.day <= own.cancelledOn);
        const months = Map.groupBy(charged, (each) => each.day.slice(0, 7));
        const plays = [...months].map(([month, all]) => ({
          month,
          plays: all.reduce((sum, each) => sum + each.plays, 0),
        }));
        return { terms: own, plays };
      });
      const found = sumEarnings(earnings, MONTHS, PERIOD);
      for (const { currency, amounts, amount } of found) {
        const own = campaigns.filter((each) => each.terms.price.currency === currency);
        const stated = (month: string) =>
          own
            .flatMap((each) => chargesOf(each.terms, each.days, daysOfMonths(month, month)))
            .reduce((sum, line) => sum.plus(line.amount), new Big(0));
        for (const [index, month] of MONTHS.entries()) {
          expect(stated(month).eq(amounts[index] ?? '')).toBe(true);
        }
        expect(amounts.reduce((sum, each) => sum.plus(each), new Big(0)).eq(amount)).toBe(true);
      }
      expect(found.map(({ currency }) => currency)).toEqual(
        [...new Set(campaigns.map((each) => each.terms.price.currency))].toSorted(),
      );
    }),
    { numRuns: CASES },
  );
});
