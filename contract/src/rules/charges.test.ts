import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Charge, chargesOf, type DayPlays, type Period, sumAmounts, type Terms } from './charges.ts';
import { addDays, daysBetween } from './zone.ts';

const CASES = 10_000;
/** By ISO 4217. */
const DECIMALS = { EUR: 2, JPY: 0, KWD: 3, HUF: 2, CLF: 4 };
const START = '2026-10-20';

const term = (price: Terms['price'], more: Partial<Terms> = {}): Terms => ({
  price,
  ordered: 1_000_000,
  schedule: { from: '2026-11-01', to: '2026-11-30' },
  bookedOn: null,
  cancelledOn: null,
  ...more,
});

const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const amounts = (terms: Terms, plays: number, period = NOVEMBER): string[] =>
  chargesOf(terms, [{ day: '2026-11-05', plays }], period).map(({ amount }) => amount);

describe('a line of a statement', () => {
  test('is price × plays in whole minor units, halves to the even one', () => {
    expect(amounts(term({ kind: 'perPlay', amount: '0.05', currency: 'EUR' }), 1234)).toEqual(['61.70']);
    expect(amounts(term({ kind: 'perPlay', amount: '0.005', currency: 'EUR' }), 1)).toEqual(['0.00']);
    expect(amounts(term({ kind: 'perPlay', amount: '0.005', currency: 'EUR' }), 3)).toEqual(['0.02']);
    expect(amounts(term({ kind: 'perThousand', amount: '2500', currency: 'JPY' }), 1001)).toEqual(['2502']);
    expect(amounts(term({ kind: 'perThousand', amount: '2500', currency: 'JPY' }), 1003)).toEqual(['2508']);
    expect(amounts(term({ kind: 'perPlay', amount: '0.0125', currency: 'KWD' }), 1)).toEqual(['0.012']);
  });

  test('charges no plays beyond the order', () => {
    const terms = term({ kind: 'perPlay', amount: '0.1', currency: 'EUR' }, { ordered: 100 });
    expect(amounts(terms, 120)).toEqual(['10.00']);
    const [line] = chargesOf(
      terms,
      [
        { day: '2026-10-31', plays: 70 },
        { day: '2026-11-05', plays: 50 },
      ],
      NOVEMBER,
    );
    expect(line).toMatchObject({ plays: 50, charged: 30, amount: '3.00' });
  });

  test('charges no plays after the day on which the flight was cancelled', () => {
    const terms = term(
      { kind: 'perPlay', amount: '0.1', currency: 'EUR' },
      { ordered: 100, cancelledOn: '2026-11-05' },
    );
    const plays = ['2026-11-04', '2026-11-05', '2026-11-06', '2026-12-01'].map((on) => ({ day: on, plays: 30 }));
    const lines = chargesOf(terms, plays, { from: '2026-11-01', to: '2026-12-31' });
    expect(lines.map((line) => [line.plays, line.charged, line.amount])).toEqual([
      [90, 60, '6.00'],
      [30, 0, '0.00'],
    ]);
  });

  test('charges a fixed price by the days of the flight', () => {
    const schedule = { from: '2026-10-01', to: '2026-12-31' };
    const terms = term({ kind: 'fixed', amount: '100', currency: 'EUR' }, { schedule });
    const lines = chargesOf(terms, [], schedule);
    expect(lines.map(({ amount, days }) => [amount, days])).toEqual([
      ['33.70', 31],
      ['32.60', 30],
      ['33.70', 31],
    ]);
    expect(
      sumAmounts(
        lines.map(({ amount }) => amount),
        'EUR',
      ),
    ).toBe('100.00');
    expect(chargesOf({ ...terms, cancelledOn: '2026-10-31' }, [], schedule).map(({ amount }) => amount)).toEqual([
      '33.70',
      '0.00',
      '0.00',
    ]);
  });

  test('charges a fixed price from the day of the booking on', () => {
    const schedule = { from: '2026-10-01', to: '2026-11-30' };
    const terms = term({ kind: 'fixed', amount: '210', currency: 'EUR' }, { schedule, bookedOn: '2026-11-10' });
    const lines = (more: Partial<Terms>) =>
      chargesOf({ ...terms, ...more }, [], schedule).map((line) => [line.days, line.amount]);
    expect(lines({})).toEqual([
      [0, '0.00'],
      [21, '210.00'],
    ]);
    expect(lines({ cancelledOn: '2026-11-12' })).toEqual([
      [0, '0.00'],
      [3, '30.00'],
    ]);
    // During hours of the last day that run over midnight.
    expect(lines({ bookedOn: '2026-12-01', cancelledOn: '2026-12-01' })).toEqual([
      [0, '0.00'],
      [1, '210.00'],
    ]);
    expect(lines({ bookedOn: '2026-09-12' })).toEqual(lines({ bookedOn: null }));
  });

  test('is there for each month of the flight or with plays, whatever the period', () => {
    const terms = term({ kind: 'perPlay', amount: '1', currency: 'EUR' });
    const lines = chargesOf(terms, [{ day: '2026-12-01', plays: 2 }], { from: '2000-01-01', to: '2999-12-31' });
    expect(lines.map(({ from, to, plays }) => [from, to, plays])).toEqual([
      ['2026-11-01', '2026-11-30', 0],
      ['2026-12-01', '2026-12-01', 2],
    ]);
    expect(chargesOf(terms, [], { from: '2027-01-01', to: '2027-01-31' })).toEqual([]);
  });
});

const day = fc.integer({ min: 0, max: 150 }).map((days) => addDays(START, days));
const period = fc.tuple(day, day).map(([a, b]): Period => (a <= b ? { from: a, to: b } : { from: b, to: a }));
const whole = fc.bigInt({ min: 0n, max: 10n ** 12n - 1n });
const fraction = fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined });
const amount = fc.tuple(whole, fraction).map(([units, part]) => (part === undefined ? `${units}` : `${units}.${part}`));
const price = fc.record({
  kind: fc.constantFrom('perPlay' as const, 'perThousand' as const, 'fixed' as const),
  amount,
  currency: fc.constantFrom(...(['EUR', 'JPY', 'KWD', 'HUF', 'CLF'] as const)),
});
const terms = fc.record({
  price,
  ordered: fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 1_000_000_000 })),
  schedule: period,
  bookedOn: fc.option(day),
  cancelledOn: fc.option(day),
});
const delivered = fc.array(fc.record({ day, plays: fc.integer({ min: 0, max: 1_000_000 }) }), { maxLength: 20 });

/** `numerator / denominator` as a whole number, halves to the even one. */
function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice === denominator) return quotient + (quotient % 2n);
  return twice > denominator ? quotient + 1n : quotient;
}

/** Computes the amount of a line once more, in whole minor units, without decimals. */
function recompute({ price: { kind, ...agreed }, ...rest }: Terms, plays: readonly DayPlays[], line: Charge): bigint {
  const minor = 10n ** BigInt(DECIMALS[agreed.currency as keyof typeof DECIMALS]);
  const [units = '', part = ''] = agreed.amount.split('.');
  // Millionths of the unit, the finest that a price has.
  const millionths = BigInt(units) * 1_000_000n + BigInt(part.padEnd(6, '0'));
  const isCharged = (date: string, last: string): boolean =>
    date <= last && (rest.cancelledOn === null || date <= rest.cancelledOn);
  const upTo = (last: string): bigint =>
    plays.filter((each) => isCharged(each.day, last)).reduce((sum, each) => sum + BigInt(each.plays), 0n);
  const capped = (count: bigint): bigint => (count < BigInt(rest.ordered) ? count : BigInt(rest.ordered));
  const before = addDays(line.from, -1);
  if (kind !== 'fixed') {
    const charged = capped(upTo(line.to)) - capped(upTo(before));
    return halfEven(millionths * charged * minor, 1_000_000n * (kind === 'perThousand' ? 1000n : 1n));
  }
  const { from, to } = rest.schedule;
  const days: string[] = [];
  for (let at = from; at <= to; at = addDays(at, 1)) days.push(at);
  const booked = days.filter((each) => rest.bookedOn === null || each >= rest.bookedOn);
  // Its hours may run over the midnight after its last day.
  const flight = booked.length > 0 ? booked : [to];
  const share = (last: string): bigint => {
    const past = flight.filter((each) => isCharged(each, last));
    return halfEven(millionths * BigInt(past.length) * minor, 1_000_000n * BigInt(flight.length));
  };
  return share(line.to) - share(before);
}

const inMinor = (text: string): bigint => BigInt(text.replace('.', ''));

test(`amounts equal a recomputation with whole numbers to the last digit in ${CASES} cases`, () => {
  fc.assert(
    fc.property(terms, delivered, period, (agreed, plays, wanted) => {
      const lines = chargesOf(agreed, plays, wanted);
      for (const line of lines) {
        expect(inMinor(line.amount)).toBe(recompute(agreed, plays, line));
        expect(line.amount.split('.')[1]?.length ?? 0).toBe(DECIMALS[agreed.price.currency]);
      }
      const total = sumAmounts(
        lines.map((line) => line.amount),
        agreed.price.currency,
      );
      expect(inMinor(total)).toBe(lines.reduce((sum, line) => sum + inMinor(line.amount), 0n));
      const inPeriod = plays.filter((each) => each.day >= wanted.from && each.day <= wanted.to);
      expect(lines.reduce((sum, line) => sum + line.plays, 0)).toBe(
        inPeriod.reduce((sum, each) => sum + each.plays, 0),
      );
    }),
    { numRuns: CASES },
  );
}, 120_000);

test('parts of a flight add up: a fixed price to the last digit, charged plays to the order', () => {
  fc.assert(
    fc.property(terms, delivered, day, (agreed, plays, cut) => {
      const all = { from: '2026-01-01', to: '2027-12-31' };
      const parts = [
        ...chargesOf(agreed, plays, { ...all, to: cut }),
        ...chargesOf(agreed, plays, { ...all, from: addDays(cut, 1) }),
      ];
      const lines = chargesOf(agreed, plays, all);
      const charged = (each: readonly Charge[]): number => each.reduce((sum, line) => sum + line.charged, 0);
      expect(charged(parts)).toBe(charged(lines));
      const { kind, currency } = agreed.price;
      if (kind !== 'fixed') return;
      expect(
        sumAmounts(
          parts.map((line) => line.amount),
          currency,
        ),
      ).toBe(
        sumAmounts(
          lines.map((line) => line.amount),
          currency,
        ),
      );
      expect(daysBetween(agreed.schedule.from, agreed.schedule.to) + 1).toBeGreaterThanOrEqual(
        lines.reduce((sum, line) => sum + line.days, 0),
      );
    }),
  );
});

test('lines end with December 9999, after which there is no month', () => {
  const schedule = { from: '9999-11-15', to: '9999-12-31' };
  const agreed = term({ kind: 'fixed', amount: '47', currency: 'EUR' }, { schedule });
  expect(chargesOf(agreed, [], schedule)).toMatchObject([
    { from: '9999-11-15', to: '9999-11-30', days: 16, amount: '16.00' },
    { from: '9999-12-01', to: '9999-12-31', days: 31, amount: '31.00' },
  ]);
});
