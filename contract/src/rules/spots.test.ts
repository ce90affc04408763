import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { contentOf, type Programme, type ProgrammeItem, type Schedule } from '../player.ts';
import type { Region } from '../vocabulary.ts';
import type { CalendarRules } from './calendar.ts';
import { isWithinHours } from './hours.ts';
import { regionsOf } from './lead.ts';
import { makeOpenTime } from './open-time.ts';
import { covers } from './programme.ts';
import { currentItem, nextStep, reschedule, type Rotation } from './sequence.ts';
import { type Paced, type SpotCount, makeSpotChooser, spotParts } from './spots.ts';

const at = (text: string): number => Date.parse(text);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const BERLIN: CalendarRules = { timeZone: 'Europe/Berlin', expiresOn: null, workingHours: null };

test('open time counts open minutes only, also over changes of the clock', () => {
  const weekdays: Schedule['weekdays'][] = [null, [6, 7], [1, 7]];
  const hoursOfDay: Schedule['hours'][] = [null, [{ from: '01:30', to: '03:15' }], [{ from: '22:00', to: '02:30' }]];
  const schedule = fc.record({
    from: fc.constant('2026-10-23'),
    to: fc.constantFrom('2026-10-24', '2026-10-25', '2026-10-27'),
    weekdays: fc.constantFrom(...weekdays),
    hours: fc.constantFrom(...hoursOfDay),
  });
  const workingHours = fc.constantFrom(null, {
    weekly: { 6: [{ from: '10:00', to: '23:00' }], 7: [{ from: '00:00', to: '12:00' }] },
    exceptions: [{ date: '2026-10-26', hours: [{ from: '02:00', to: '02:15' }] }],
  });
  fc.assert(
    fc.property(schedule, workingHours, fc.nat(6 * 24 * 60), (given, hours, minutes) => {
      const rules = { ...BERLIN, workingHours: hours };
      const from = at('2026-10-22T05:17:00Z');
      const openTime = makeOpenTime(given, rules, from);
      let open = 0;
      for (let now = from; now < from + minutes * MINUTE_MS; now += MINUTE_MS) {
        if (covers(given, now, rules.timeZone) && isWithinHours(hours, now, rules.timeZone)) open += MINUTE_MS;
      }
      expect(openTime(from + minutes * MINUTE_MS)).toBe(open);
      expect(openTime(from)).toBe(0);
    }),
    { numRuns: 20 },
  );
});

const ID = '01920000-0000-7000-8000-00000000000';
const paced = (nth: number, pace: Partial<Paced['pace']> = {}, schedule: Programme['schedule'] = null): Paced => ({
  releaseId: `${ID}${nth}`,
  adId: `${ID}0`,
  name: `${nth}`,
  orientation: 'vertical',
  split: 'full',
  playMode: 'sequence',
  showClock: false,
  fit: 'contain',
  priority: 'normal',
  replace: false,
  schedule,
  regions: { full: [{ kind: 'file', sha256: `${nth}`, media: 'image', durationMs: 10_000 }] },
  pace: { everyMs: MINUTE_MS, from: '2026-11-21T00:00:00Z', ...pace },
});

/** Plays spots of ten seconds and ten seconds of fill until an instant; restarts forget what is not in the counts. */
function run(programmes: Paced[], from: number, to: number, options: { counts?: Map<string, SpotCount> } = {}) {
  const choose = makeSpotChooser(BERLIN);
  const counts = options.counts ?? new Map<string, SpotCount>();
  const shown: (string | undefined)[] = [];
  let last: Programme | undefined;
  for (let now = from; now < to; now += 10_000) {
    const spot = choose(programmes, now, { counts, last, hasFill: true });
    last = spot;
    shown.push(spot?.name);
    if (spot) counts.set(spot.releaseId, { played: (counts.get(spot.releaseId)?.played ?? 0) + 1, lastAt: now });
  }
  return { shown, counts, count: (name: string) => shown.filter((each) => each === name).length };
}

const NOON = at('2026-11-21T12:00:00Z');
const fromNoon = { from: '2026-11-21T12:00:00Z' };

test('the creatives of a campaign share its spots and never follow each other', () => {
  const campaignId = `${ID}9`;
  const each = { ...fromNoon, campaignId, everyMs: 3 * MINUTE_MS };
  const { shown, count } = run([paced(1, each), paced(2, each), paced(3, each)], NOON, NOON + HOUR_MS);
  expect([count('1'), count('2'), count('3')]).toEqual([20, 20, 20]);
  for (const [index, name] of shown.entries()) if (name) expect(shown[index + 1]).toBeUndefined();
});

test('the same question has the same answer, and a restart continues with the counts', () => {
  const programmes = [paced(1, fromNoon), paced(2, { ...fromNoon, everyMs: 90_000 })];
  const whole = run(programmes, NOON, NOON + 2 * HOUR_MS);
  const first = run(programmes, NOON, NOON + HOUR_MS);
  const second = run(programmes, NOON + HOUR_MS, NOON + 2 * HOUR_MS, { counts: first.counts });
  expect([...first.shown, ...second.shown]).toEqual(whole.shown);
});

test('another pace continues from what was due when it began', () => {
  const counts = new Map([[`${ID}1`, { played: 60, lastAt: NOON - MINUTE_MS }]]);
  const slower = paced(1, { everyMs: 2 * MINUTE_MS, from: '2026-11-21T12:00:00Z', dueBefore: 60 });
  expect(run([slower], NOON, NOON + HOUR_MS, { counts }).count('1')).toBe(30);
  const aheadOfIt = new Map([[`${ID}1`, { played: 70, lastAt: NOON - MINUTE_MS }]]);
  expect(run([slower], NOON, NOON + HOUR_MS, { counts: aheadOfIt }).count('1')).toBe(20);
});

test('a clock that is set back does not silence a campaign', () => {
  const counts = new Map([[`${ID}1`, { played: 3, lastAt: NOON + 10 * HOUR_MS }]]);
  expect(run([paced(1, fromNoon)], NOON, NOON + HOUR_MS, { counts }).count('1')).toBe(57);
});

test('hours outside the flight and before the flight are not caught up', () => {
  const daily = paced(
    1,
    { from: '2026-11-18T00:00:00Z' },
    { from: '2026-11-21', hours: [{ from: '13:00', to: '14:00' }] },
  );
  // 13:00 in Berlin.
  expect(run([daily], NOON, NOON + HOUR_MS).count('1')).toBe(60);
});

test('a campaign that was booked years ahead plays during all of its flight', () => {
  const flight: Schedule = { from: '2029-03-01', to: '2031-02-28' };
  const one = paced(1, { from: '2026-11-21T00:00:00Z', everyMs: 10 * MINUTE_MS }, flight);
  expect(run([one], at('2029-03-01T12:00:00Z'), at('2029-03-01T18:00:00Z')).count('1')).toBeGreaterThanOrEqual(36);
  const counts = new Map([[one.releaseId, { played: 6 * 24 * 728, lastAt: at('2031-02-26T12:00:00Z') }]]);
  expect(run([one], at('2031-02-27T12:00:00Z'), at('2031-02-27T18:00:00Z'), { counts }).count('1')).toBeGreaterThan(30);
});

/** The files that a device reports for one spot: those that ran to their ends before the round of the leading region was over. */
function playsOfSpot(programme: Paced, seed: number): string[] {
  const begun = reschedule(undefined, [programme], seed, programme);
  if (begun.kind !== 'begin') throw new Error('nothing to play');
  let rotation: Rotation = begun.rotation;
  const durationOf = (region: Region) => currentItem(rotation, region)?.durationMs ?? Infinity;
  const ends = new Map(regionsOf(programme).map((region) => [region, durationOf(region)]));
  const plays: string[] = [];
  for (;;) {
    // At the same moment the leading region is the last: the others are on screen until the next programme has begun.
    const order = [...ends].toSorted(
      ([a, x], [b, y]) => x - y || Number(a === rotation.lead) - Number(b === rotation.lead),
    );
    const [region, end] = order[0] ?? [rotation.lead, 0];
    const item = currentItem(rotation, region);
    if (item) plays.push(contentOf(item));
    const step = nextStep(rotation, region);
    if (step?.kind !== 'item') return plays;
    rotation = step.rotation;
    ends.set(region, end + durationOf(region));
  }
}

const partsOf = (programme: Paced, seed: number): number => {
  const parts = spotParts(programme);
  return playsOfSpot(programme, seed).reduce((sum, sha256) => sum + (parts.get(sha256) ?? 0), 0);
};

const filesOf = (seconds: fc.Arbitrary<number>) =>
  fc.array(fc.record({ sha256: fc.constantFrom('a', 'b', 'c'), durationMs: seconds.map((each) => each * 1000) }), {
    minLength: 1,
    maxLength: 4,
  });
const inRegions = (seconds: fc.Arbitrary<number>) =>
  fc.record(
    { top: filesOf(seconds), middle: filesOf(seconds), bottom: filesOf(seconds) },
    { requiredKeys: ['top', 'bottom'] },
  );
type Files = Partial<Record<'top' | 'middle' | 'bottom', { sha256: string; durationMs: number }[]>>;

const showing = (files: Files, playMode: Programme['playMode']): Paced => {
  const items = (each: Files['top'] = []): ProgrammeItem[] =>
    each.map((item) => ({ kind: 'file', media: 'image', ...item }));
  const { top, middle, bottom } = files;
  return {
    ...paced(1),
    ...{ playMode, split: middle ? 'three' : 'two' },
    regions: { top: items(top), ...(middle && { middle: items(middle) }), bottom: items(bottom) },
  };
};

test('the plays of one file of the leading region make the spot, those in other regions only if they show each of its files', () => {
  const parts = (top: string, bottom: string, bottomMs = 5000) => {
    const files = (names: string, durationMs: number) => Array.from(names, (sha256) => ({ sha256, durationMs }));
    return Object.fromEntries(
      spotParts(showing({ top: files(top, 5000), bottom: files(bottom, bottomMs) }, 'sequence')),
    );
  };
  expect(parts('aba', 'c')).toEqual({ a: 0, b: 1 });
  expect(parts('aa', 'c')).toEqual({ a: 0.5 });
  expect(parts('ab', 'a')).toEqual({ a: 0, b: 1 });
  expect(parts('a', 'a')).toEqual({ a: 0.5 });
  expect(parts('a', 'a', 2000)).toEqual({ a: 1 / 3 });
  expect(parts('ab', 'ab')).toEqual({ a: 0.5, b: 0 });
  const lasting = (...ms: number[]) => ms.map((durationMs, index) => ({ sha256: 'abc'.charAt(index), durationMs }));
  // After a round of 10 s, 7 s are left: the file of 6 s ends within them if it is the first, or follows that of 1 s.
  const shuffled = showing({ top: lasting(8000, 5000, 4000), bottom: lasting(6000, 3000, 1000) }, 'shuffle');
  expect(spotParts(shuffled).get('a')).toBeCloseTo(1 / 2.5, 9);
  expect(spotParts({ orientation: 'vertical', split: 'two', playMode: 'sequence', regions: {} }).size).toBe(0);
});

test('the plays of a spot add up to one, whichever files its regions share', () => {
  const seconds = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(inRegions(seconds), fc.constantFrom('sequence' as const, 'once' as const), (files, playMode) => {
      expect(partsOf(showing(files, playMode), 1)).toBeCloseTo(1, 9);
    }),
  );
});

test('the plays of shuffled spots add up to their number, whichever files their regions share', () => {
  const SPOTS = 400;
  fc.assert(
    fc.property(inRegions(fc.integer({ min: 1, max: 12 })), (files) => {
      const programme = showing(files, 'shuffle');
      const sum = Array.from({ length: SPOTS }, (_, seed) => partsOf(programme, seed)).reduce((a, b) => a + b, 0);
      expect(sum / SPOTS).toBeGreaterThan(0.9);
      expect(sum / SPOTS).toBeLessThan(1.1);
    }),
    { numRuns: 50 },
  );
});

/** All orders of these. */
const permutations = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((each, index) => permutations(all.toSpliced(index, 1)).map((others) => [each, ...others]));

test('a part of a shuffled spot is the mean over all orders of the other regions', () => {
  const file = fc.record({ sha256: fc.constantFrom('a', 'b'), durationMs: fc.integer({ min: 500, max: 9000 }) });
  fc.assert(
    fc.property(
      fc.array(file, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 40_000 }),
      (bottom, moreMs) => {
        const roundMs = bottom.reduce((sum, { durationMs }) => sum + durationMs, 0);
        const ms = roundMs + moreMs;
        const orders = permutations(bottom);
        const playsIn = (order: typeof bottom): number => {
          let [end, plays] = [0, 0];
          for (let index = 0; ; index += 1) {
            const item = order[index % order.length];
            end += item?.durationMs ?? Infinity;
            if (end > ms) return plays;
            if (item?.sha256 === 'a') plays += 1;
          }
        };
        const mean = orders.reduce((sum, order) => sum + playsIn(order), 0) / orders.length;
        const programme = showing({ top: [{ sha256: 'a', durationMs: ms }], bottom }, 'shuffle');
        expect(1 / (spotParts(programme).get('a') ?? 0)).toBeCloseTo(1 + mean, 9);
      },
    ),
  );
});

test('a part of a shuffled spot takes bounded work, however many lengths its files have', () => {
  const bottom = Array.from({ length: 100 }, (_, index) => ({
    sha256: index % 4 === 0 ? 'a' : 'b',
    durationMs: 5000 + ((index * 7919) % 9973),
  }));
  const roundMs = bottom.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const top = [{ sha256: 'a', durationMs: roundMs * 1.5 }];
  const set = vi.spyOn(Map.prototype, 'set');
  const part = spotParts(showing({ top, bottom }, 'shuffle')).get('a') ?? 0;
  const steps = set.mock.calls.length;
  set.mockRestore();
  expect(steps).toBeLessThan(500_000);
  // Of a round, 25 plays, and of half a round nearly half as many.
  expect(1 / part).toBeGreaterThan(1 + 25 + 11.5);
  expect(1 / part).toBeLessThan(1 + 25 + 13);
});
