import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Carrier, forecast, replan } from './replan.ts';

const HOUR_MS = 3_600_000;

const anyCarrier = fc
  .record({
    perHour: fc.integer({ min: 1, max: 60 }),
    spotMs: fc.integer({ min: 5000, max: 20_000 }),
    goneHours: fc.integer({ min: 0, max: 300 }),
    leftHours: fc.integer({ min: 0, max: 300 }),
    missedShare: fc.double({ min: 0, max: 1, noNaN: true }),
    part: fc.constantFrom(0, 0, 1 / 2, 1 / 3, 2 / 3),
    free: fc.double({ min: 0, max: 0.5, noNaN: true }),
    isOffline: fc.constant(false),
    isLost: fc.boolean(),
  })
  .map(({ perHour, goneHours, leftHours, missedShare, part, ...rest }): Omit<Carrier, 'id'> => {
    const due = perHour * goneHours;
    const played = Math.floor(due * (1 - missedShare / 4)) + part;
    return { ...rest, everyMs: HOUR_MS / perHour, due, played, leftMs: leftHours * HOUR_MS };
  });
const carriers = fc
  .array(anyCarrier, { minLength: 1, maxLength: 40 })
  .map((all) => all.map((each, index): Carrier => ({ ...each, id: `d${String(index).padStart(2, '0')}` })));

/** The carriers after a plan has been applied. */
const after = (all: readonly Carrier[], changes: ReturnType<typeof replan>['changes']): Carrier[] =>
  all.map((carrier) => {
    const change = changes.find(({ id }) => id === carrier.id);
    return change ? { ...carrier, everyMs: change.everyMs, due: change.dueBefore } : carrier;
  });

const sum = (all: readonly Carrier[]): number => all.reduce((total, each) => total + forecast(each), 0);

test('a plan brings the forecast to the order where there is room, and nowhere above what is free', () => {
  fc.assert(
    fc.property(carriers, fc.double({ min: 0.7, max: 1.2, noNaN: true }), (all, factor) => {
      const ordered = Math.round(sum(all) * factor);
      const { changes, short, makeGoods } = replan(ordered, all);
      expect([short, makeGoods].filter((plays) => !Number.isSafeInteger(plays))).toEqual([]);
      const planned = after(all, changes);
      const [before, now] = [sum(all), sum(planned)];
      // Never away from the order.
      expect(Math.abs(now - ordered * 1.0065)).toBeLessThanOrEqual(
        Math.max(Math.abs(before - ordered * 1.0065), 1) + changes.length,
      );
      for (const [index, carrier] of planned.entries()) {
        const old = all[index];
        if (!old || carrier === old) continue;
        expect(old.isLost).toBe(false);
        const more = carrier.leftMs / carrier.everyMs - Math.max(forecast(old) - old.played, 0);
        expect(more * carrier.spotMs).toBeLessThanOrEqual(old.free * old.leftMs + 2 * carrier.spotMs);
        const most = old.spotMs / old.everyMs + old.free;
        expect(carrier.spotMs / carrier.everyMs).toBeLessThanOrEqual(most + 1e-9);
        expect(Math.abs(carrier.everyMs / old.everyMs - 1)).toBeGreaterThan(0.02);
      }
      expect(short).toBeGreaterThanOrEqual(0);
      if (short > 0) expect(now).toBeLessThan(ordered);
    }),
    { numRuns: 500 },
  );
});

test('a device that has to play nothing more gets a pace that can be stored', () => {
  const spots = fc.tuple(fc.nat(400), fc.constantFrom(0, 1 / 2, 1 / 3, 2 / 3)).map(([whole, part]) => whole + part);
  fc.assert(
    fc.property(spots, fc.constantFrom(0, 1e-12, 0.4), fc.integer({ min: 1, max: 300 }), (played, late, hours) => {
      const rates = { everyMs: 600_000, spotMs: 10_000, free: 0.3, isOffline: false, isLost: false };
      const carrier: Carrier = { id: 'a', ...rates, due: played + late, played, leftMs: hours * HOUR_MS };
      const { changes } = replan(Math.max(Math.floor(played) - 5, 0), [carrier]);
      for (const { everyMs } of changes) expect(everyMs).toBeLessThan(2 ** 63);
    }),
  );
});

test('what a lost device leaves is spread over the others, and a plan that was applied is not changed again', () => {
  const carrier = (id: string, over: Partial<Carrier> = {}): Carrier => ({
    ...{
      id,
      everyMs: 600_000,
      spotMs: 10_000,
      due: 60,
      played: 60,
      leftMs: 100 * HOUR_MS,
      free: 0.5,
      isOffline: false,
      isLost: false,
    },
    ...over,
  });
  const all = [carrier('a'), carrier('b'), carrier('c', { isLost: true })];
  const ordered = 3 * 660;
  const { changes, makeGoods, short } = replan(ordered, all);
  expect(short).toBe(0);
  expect(makeGoods).toBe(613);
  expect(changes.map(({ id }) => id)).toEqual(['a', 'b']);
  const planned = after(all, changes);
  expect(sum(planned)).toBeGreaterThanOrEqual(ordered);
  expect(sum(planned)).toBeLessThanOrEqual(ordered * 1.01);
  expect(replan(ordered, planned).changes).toEqual([]);
});

test('in the last hour others play what exactly the devices without a connection leave', () => {
  const carrier = (id: string, perHour: number, isOffline: boolean, leftMs = HOUR_MS): Carrier => ({
    ...{ id, isOffline, leftMs, everyMs: HOUR_MS / perHour, spotMs: 10_000, due: 2 * perHour, played: 2 * perHour },
    ...{ free: 0.5, isLost: false },
  });
  const others = ['b', 'c', 'd', 'e'].map((id) => carrier(id, 20, false));
  // The flight of these is over where they are: they say nothing about those that still play.
  const done = ['f', 'g', 'h'].map((id) => carrier(id, 20, true, 0));
  const all = [carrier('a', 60, true), ...others, ...done];
  const ordered = sum(all);
  const planned = after(all, replan(ordered, all).changes);
  const withoutLast = planned.map((each) => (each.isOffline ? { ...each, isLost: true } : each));
  expect(sum(withoutLast)).toBeGreaterThanOrEqual(ordered);
  expect(sum(withoutLast)).toBeLessThanOrEqual(ordered * 1.01);
});

test('a campaign without room is short by what nobody can play', () => {
  const full: Carrier = {
    ...{
      id: 'a',
      everyMs: 60_000,
      spotMs: 10_000,
      due: 60,
      played: 0,
      leftMs: HOUR_MS,
      free: 0,
      isOffline: false,
      isLost: false,
    },
  };
  expect(forecast(full)).toBe(120);
  expect(replan(150, [full])).toEqual({ changes: [], makeGoods: 0, short: 30 });
});
