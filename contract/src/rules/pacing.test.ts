import fc from 'fast-check';
import { expect, test } from 'vitest';
import { missedSpots, nextSpot, type PacedSpot } from './pacing.ts';

interface Simulated extends PacedSpot {
  lengthMs: number;
  lastAt: number;
}

const simulated = (id: string, everyMs: number, lengthMs: number): Simulated => ({
  ...{ id, everyMs, lengthMs, due: 0, played: 0, sinceMs: Infinity, missed: 0, lastAt: -Infinity },
});

/** Brings a simulated screen to an instant, plays what the rule chooses, and returns it. */
function play(state: Simulated[], at: number, last: string | null, hasFill: boolean): Simulated | undefined {
  for (const spot of state) {
    Object.assign(spot, { due: at / spot.everyMs, sinceMs: at - spot.lastAt });
    spot.missed = missedSpots(spot.missed, spot);
  }
  const spot = nextSpot(state, last, hasFill);
  if (spot) Object.assign(spot, { played: spot.played + 1, lastAt: at });
  return spot;
}

const HOUR_MS = 3_600_000;

interface Sizes {
  everyMs: number;
  lengthMs: number;
}

/** Plays what the rule chooses, from an instant on; items of the fill in turn, if there are any. */
function simulate(spots: readonly Sizes[], fillMs: readonly number[], forMs: number, from = 0) {
  const state = spots.map(({ everyMs, lengthMs }, index) => simulated(`c${index}`, everyMs, lengthMs));
  const shown: (string | null)[] = [];
  let filledMs = 0;
  let at = from;
  while (at < from + forMs) {
    const spot = play(state, at, shown.at(-1) ?? null, fillMs.length > 0);
    shown.push(spot?.id ?? null);
    const itemMs = spot?.lengthMs ?? fillMs[shown.length % fillMs.length] ?? 1000;
    if (!spot) filledMs += itemMs;
    at += itemMs;
  }
  return { state, shown, at, filled: filledMs / (at - from) };
}

const LONGEST_MS = 30_000;
/** Sets of campaigns for each property. */
const RUNS = 300;

/** Together, campaigns take at most this part of the time. */
const SOLD = 0.8;

/** Campaigns of any size that together take a part of the time. */
const mixed = fc
  .array(
    fc.record({ weight: fc.integer({ min: 1, max: 100 }), lengthMs: fc.integer({ min: 5000, max: LONGEST_MS }) }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((all) =>
    fc.double({ min: 0.05, max: SOLD, noNaN: true }).map((share) => {
      const sum = all.reduce((total, { weight }) => total + weight, 0);
      return all.map(({ weight, lengthMs }) => ({ lengthMs, everyMs: lengthMs / ((share * weight) / sum) }));
    }),
  )
  .filter((spots) => spots.every(({ lengthMs, everyMs }) => everyMs >= lengthMs + LONGEST_MS));

/** Campaigns with the shortest periods that are possible, as many as have room. */
const dense = fc
  .array(
    fc.record({
      lengthMs: fc.oneof(fc.constantFrom(5000, LONGEST_MS), fc.integer({ min: 5000, max: LONGEST_MS })),
      slack: fc.oneof(fc.double({ min: 1, max: 1.2, noNaN: true }), fc.double({ min: 1, max: 5, noNaN: true })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => {
    let left = SOLD;
    return all
      .map(({ lengthMs, slack }) => ({ lengthMs, everyMs: (lengthMs + LONGEST_MS) * slack }))
      .filter(({ lengthMs, everyMs }) => {
        const fits = lengthMs / everyMs <= left;
        if (fits) left -= lengthMs / everyMs;
        return fits;
      });
  });

/**
 * Sets of campaigns that fit on a screen: together they take at most 80 % of the time, and between two spots of one
 * there is time for the longest item, as no spot shows twice running.
 */
const feasible = fc.oneof(mixed, dense);
/** Items of the fill, in turn. */
const fills = fc.array(fc.integer({ min: 5000, max: LONGEST_MS }), { minLength: 1, maxLength: 5 });
const darkHours = fc.integer({ min: 1, max: 3 });

test('campaigns that fit miss no deadline by more than the longest item, whatever the fill', () => {
  fc.assert(
    fc.property(feasible, fills, (spots, fillMs) => {
      const { state, at } = simulate(spots, fillMs, 6 * HOUR_MS);
      const longest = Math.max(...fillMs, ...spots.map(({ lengthMs }) => lengthMs));
      for (const { played, everyMs } of state) {
        expect(played).toBeLessThanOrEqual(Math.floor(at / everyMs) + 1);
        expect(played).toBeGreaterThanOrEqual(Math.floor((at - longest) / everyMs));
      }
    }),
    { numRuns: RUNS },
  );
});

test('no spot shows twice running while there is anything else', () => {
  fc.assert(
    fc.property(feasible, fc.integer({ min: 0, max: 3 }), (spots, hours) => {
      const { shown } = simulate(spots, [10_000], HOUR_MS, hours * HOUR_MS);
      expect(shown.filter((id, index) => id !== null && id === shown[index + 1])).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('the fill is never starved by campaigns that fit', () => {
  fc.assert(
    fc.property(feasible, (spots) => {
      expect(simulate(spots, [10_000], 2 * HOUR_MS).filled).toBeGreaterThan(0.1);
    }),
    { numRuns: RUNS },
  );
});

test('after two dark hours a campaign catches up at twice its rate and takes no time from one that is on time', () => {
  const everyMs = 60_000;
  const onTime = simulated('onTime', everyMs, 15_000);
  Object.assign(onTime, { played: 120, lastAt: 119 * everyMs });
  const state = [simulated('behind', everyMs, 15_000), onTime];
  let last: string | null = null;
  for (let at = 2 * HOUR_MS; at < 3 * HOUR_MS;) {
    const spot = play(state, at, last, true);
    last = spot?.id ?? null;
    at += spot?.lengthMs ?? 10_000;
  }
  expect(state[0]?.played).toBeGreaterThan(90);
  expect(state[0]?.played).toBeLessThanOrEqual(121);
  expect(state[1]?.played).toBeGreaterThanOrEqual(179);
  expect(state[1]?.played).toBeLessThanOrEqual(181);
});

test('campaigns that were all in the dark keep their rate to within one spot, and catch up at most at twice of it', () => {
  fc.assert(
    fc.property(feasible, fills, darkHours, (spots, fillMs, hours) => {
      const { state, at } = simulate(spots, fillMs, 2 * HOUR_MS, hours * HOUR_MS);
      const litMs = at - hours * HOUR_MS;
      for (const { played, everyMs } of state) {
        expect(played).toBeGreaterThanOrEqual(Math.floor((litMs - LONGEST_MS) / everyMs));
        expect(played).toBeLessThanOrEqual(Math.ceil((2 * litMs) / everyMs) + 1);
      }
    }),
    { numRuns: RUNS },
  );
});

test('campaigns that were all in the dark leave time to the fill', () => {
  fc.assert(
    fc.property(feasible, darkHours, (spots, hours) => {
      expect(simulate(spots, [10_000], 2 * HOUR_MS, hours * HOUR_MS).filled).toBeGreaterThan(0.05);
    }),
    { numRuns: RUNS },
  );
});

test('a spot that is alone plays again and again', () => {
  const { shown } = simulate([{ everyMs: 10_000, lengthMs: 10_000 }], [], HOUR_MS);
  expect(shown.every((id) => id === 'c0')).toBe(true);
});
