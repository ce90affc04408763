import { CampaignGoal, type Flight } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeviceClass } from './classes.ts';
import { largest, measure, type Measured, type Pledge, pledge } from './pledge.ts';

const MINUTE_MS = 60_000;
const TOLERANCE = 1e-9;
const FLIGHT = { from: '2027-03-01', to: '2027-03-14' };

const minutes = (value: number): string =>
  `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`;

const measurePart = (flight: Flight, classes: DeviceClass[]): Measured[] => measure([{ flight, classes }], 'closed');

/** Devices that are open on some days of the week, by the minute, and of which a part is booked. */
const devices = fc.record({
  size: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(2000)),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from: fc.integer({ min: 0, max: 1430 }),
  length: fc.integer({ min: 1, max: 1440 }),
  booked: fc.double({ min: 0, max: 0.8, noNaN: true }),
});

const classes = fc.array(devices, { minLength: 1, maxLength: 5 }).map((all): Measured[] =>
  measurePart(
    FLIGHT,
    all.map(({ size, weekdays, from, length, booked }, nth) => {
      const hours = [{ from: minutes(from), to: minutes(Math.min(from + length, 1440)) }];
      return {
        hours: { weekly: Object.fromEntries(weekdays.map((day) => [day, hours])), exceptions: [] },
        ...{ expiresOn: null, sellable: 0.8, group: null },
        loads: [{ flight: FLIGHT, share: booked }],
        ids: Array.from({ length: size }, (_, index) => `${nth}.${index}`),
      };
    }),
  ),
);

const spot = fc.integer({ min: 100, max: 120_000 });
const kinds = fc.constantFrom<CampaignGoal['kind']>('perHour', 'share', 'total');

/** Each device has one pace at most, and room for it. */
function expectFits({ paced }: Pledge, spotMs: number, measured: readonly Measured[]): void {
  const of = new Map(measured.flatMap((each) => each.ids.map((id) => [id, each])));
  const named = paced.flatMap(({ ids, everyMs }) => ids.map((id) => ({ id, everyMs })));
  expect(new Set(named.map(({ id }) => id)).size).toBe(named.length);
  const excess = named.map(({ id, everyMs }) => spotMs / everyMs - (of.get(id)?.free ?? 0));
  expect(Math.max(0, ...excess)).toBeLessThanOrEqual(TOLERANCE);
}

test('the largest goal that is offered is feasible, and fits on each device', () => {
  fc.assert(
    fc.property(kinds, spot, classes, (kind, spotMs, measured) => {
      const value = largest(kind, spotMs, measured);
      fc.pre(value > 0);
      const plan = pledge(CampaignGoal.parse({ kind, value }), spotMs, measured);
      expect(plan.isFeasible).toBe(true);
      expectFits(plan, spotMs, measured);
    }),
  );
});

test('each total up to the largest one is feasible, and distributed in whole plays', () => {
  fc.assert(
    fc.property(spot, classes, fc.double({ min: 0, max: 1, noNaN: true }), (spotMs, measured, part) => {
      const value = Math.ceil(part * largest('total', spotMs, measured));
      fc.pre(value > 0);
      const plan = pledge({ kind: 'total', value }, spotMs, measured);
      expect(plan.isFeasible).toBe(true);
      expectFits(plan, spotMs, measured);
      const open = new Map(measured.flatMap(({ ids, openMs }) => ids.map((id) => [id, openMs])));
      const plays = plan.paced.flatMap(({ ids, everyMs }) =>
        ids.map((id) => Math.floor((open.get(id) ?? 0) / everyMs)),
      );
      // As many spots as were ordered begin at these paces, apart from those that periods in whole milliseconds take.
      const begun = plays.reduce((sum, each) => sum + each, 0);
      expect(begun).toBeLessThanOrEqual(value);
      expect(begun).toBeGreaterThanOrEqual(value * 0.99 - plays.length);
    }),
  );
});

test('what is left of a total goes where room is left, however short others are open', () => {
  const hoursOf = (length: number) => {
    const hours = [{ from: '00:00', to: minutes(length) }];
    return { weekly: Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [day, hours])), exceptions: [] };
  };
  const alike = (length: number, size: number) => ({
    ...{ hours: hoursOf(length), expiresOn: null, sellable: 0.8, group: null, loads: [] },
    ids: Array.from({ length: size }, (_, index) => `${length}.${index}`),
  });
  const measured = measurePart({ from: '2027-03-01', to: '2027-03-01' }, [alike(1440, 1), alike(1, 500)]);
  // 48 seconds of each minute: one spot of 40 seconds on each short device, and the others on the long one.
  const value = largest('total', 40_000, measured);
  expect(value).toBe(500 + Math.floor((0.8 * 1440 * MINUTE_MS) / 40_000));
  expect(pledge({ kind: 'total', value }, 40_000, measured)).toMatchObject({ isFeasible: true, plays: value });
});
