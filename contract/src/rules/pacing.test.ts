import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextSpot, type PacedSpot } from './pacing.ts';

interface Simulated extends PacedSpot {
  lengthMs: number;
  lastAt: number;
}

const simulated = (id: string, everyMs: number, lengthMs: number): Simulated => ({
  ...{ id, everyMs, lengthMs, due: 0, played: 0, sinceMs: Infinity, lastAt: -Infinity },
});

/** Brings a simulated screen to an instant, plays what the rule chooses, and returns it. */
function play(state: Simulated[], at: number, last: string | null, hasFill: boolean): Simulated | undefined {
  for (const spot of state) Object.assign(spot, { due: at / spot.everyMs, sinceMs: at - spot.lastAt });
  const spot = nextSpot(state, last, hasFill);
  if (spot) Object.assign(spot, { played: spot.played + 1, lastAt: at });
  return spot;
}

const HOUR_MS = 3_600_000;

/** Plays what the rule chooses. */
function simulate(spots: readonly { everyMs: number; lengthMs: number }[], fillMs: number | null, untilMs: number) {
  const state = spots.map(({ everyMs, lengthMs }, index) => simulated(`c${index}`, everyMs, lengthMs));
  const shown: (string | null)[] = [];
  let at = 0;
  while (at < untilMs) {
    const spot = play(state, at, shown.at(-1) ?? null, fillMs !== null);
    shown.push(spot?.id ?? null);
    at += spot?.lengthMs ?? fillMs ?? 1000;
  }
  return { state, shown, at };
}

const LONGEST_MS = 30_000;

/**
 * Sets of campaigns that fit on a screen: together they take at most 80 % of the time, and between two spots of one
 * there is time for the longest item, as no spot shows twice running.
 */
const feasible = fc
  .array(
    fc.record({ weight: fc.integer({ min: 1, max: 100 }), lengthMs: fc.integer({ min: 5000, max: LONGEST_MS }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .chain((all) =>
    fc.double({ min: 0.05, max: 0.8, noNaN: true }).map((share) => {
      const sum = all.reduce((total, { weight }) => total + weight, 0);
      return all.map(({ weight, lengthMs }) => ({ lengthMs, everyMs: lengthMs / ((share * weight) / sum) }));
    }),
  )
  .filter((spots) => spots.every(({ lengthMs, everyMs }) => everyMs >= lengthMs + LONGEST_MS));

test('campaigns that fit miss no deadline by more than the longest item, whatever the fill', () => {
  fc.assert(
    fc.property(feasible, fc.integer({ min: 5000, max: 15_000 }), (spots, fillMs) => {
      const { state, at } = simulate(spots, fillMs, 6 * HOUR_MS);
      const longest = Math.max(fillMs, ...spots.map(({ lengthMs }) => lengthMs));
      for (const { played, everyMs } of state) {
        expect(played).toBeLessThanOrEqual(Math.floor(at / everyMs) + 1);
        expect(played).toBeGreaterThanOrEqual(Math.floor((at - longest) / everyMs));
      }
    }),
    { numRuns: 200 },
  );
});

test('no spot shows twice running while there is anything else', () => {
  fc.assert(
    fc.property(feasible, (spots) => {
      const { shown } = simulate(spots, 10_000, HOUR_MS);
      for (const [index, id] of shown.entries()) {
        if (id !== null) expect(shown[index + 1]).not.toBe(id);
      }
    }),
    { numRuns: 100 },
  );
});

test('the fill is never starved by campaigns that fit', () => {
  fc.assert(
    fc.property(feasible, (spots) => {
      const { shown, at } = simulate(spots, 10_000, 2 * HOUR_MS);
      const filled = shown.filter((id) => id === null).length * 10_000;
      expect(filled / at).toBeGreaterThan(0.1);
    }),
    { numRuns: 100 },
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

/**
 * The part of its rate that a campaign keeps at least while it and all others are late, if half its period is shorter than
 * the longest item. A spot that waits for a running item until its period is over counts for the next one.
 */
const KEPT = 0.8;

test('campaigns that were all in the dark keep their rate, catch up in the end, and leave time to the fill', () => {
  fc.assert(
    fc.property(feasible, fc.integer({ min: 1, max: 3 }), (spots, hours) => {
      const state = spots.map(({ everyMs, lengthMs }, index) => simulated(`c${index}`, everyMs, lengthMs));
      let last: string | null = null;
      let fillMs = 0;
      const from = hours * HOUR_MS;
      const to = from + 2 * HOUR_MS;
      for (let at = from; at < to;) {
        const spot = play(state, at, last, true);
        last = spot?.id ?? null;
        if (!spot) fillMs += 10_000;
        at += spot?.lengthMs ?? 10_000;
      }
      expect(fillMs / (to - from)).toBeGreaterThan(0.05);
      for (const { played, everyMs } of state) {
        const kept = everyMs >= 2 * LONGEST_MS ? 1 : KEPT;
        expect(played).toBeGreaterThanOrEqual(Math.floor((kept * (to - from - LONGEST_MS)) / everyMs) - 1);
        expect(played).toBeLessThanOrEqual(Math.ceil((2 * (to - from)) / everyMs) + 1);
      }
    }),
    { numRuns: 100 },
  );
});

test('a spot that is alone plays again and again', () => {
  const { shown } = simulate([{ everyMs: 10_000, lengthMs: 10_000 }], null, HOUR_MS);
  expect(shown.every((id) => id === 'c0')).toBe(true);
});
