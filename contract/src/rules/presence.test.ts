import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presenceStretches, stretchesWithin, uptimeOf } from './presence.ts';

const instant = fc.integer({ min: 0, max: 1000 });
const changes = fc
  .array(fc.record({ at: instant, online: fc.boolean() }), { maxLength: 20 })
  .map((list) => list.toSorted((a, b) => a.at - b.at));
const window = fc.tuple(instant, instant).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));

test('stretches touch, differ from their neighbours and fill the whole time', () => {
  fc.assert(
    fc.property(changes, window, (list, { from, to }) => {
      const stretches = presenceStretches(list, from, to);
      expect(stretches[0]?.from).toBe(from);
      expect(stretches.at(-1)?.to).toBe(to);
      for (const [index, stretch] of stretches.entries()) {
        expect(stretch.to).toBeGreaterThan(stretch.from);
        const next = stretches[index + 1];
        if (next) expect([next.from, next.state === stretch.state]).toEqual([stretch.to, false]);
      }
    }),
  );
});

test('at every instant the last change determines the state', () => {
  fc.assert(
    fc.property(changes, window, instant, (list, { from, to }, at) => {
      fc.pre(at >= from && at < to);
      const last = list.findLast((change) => change.at <= at);
      const found = presenceStretches(list, from, to).find((stretch) => stretch.from <= at && at < stretch.to);
      expect(found?.state).toBe(last ? (last.online ? 'online' : 'offline') : 'unknown');
    }),
  );
});

test('uptime is the part of the known time, and the days together are the week', () => {
  expect(
    uptimeOf(
      presenceStretches(
        [
          { at: 20, online: true },
          { at: 80, online: false },
        ],
        0,
        100,
      ),
    ),
  ).toBe(0.75);
  expect(uptimeOf(presenceStretches([], 0, 100))).toBeNull();
  fc.assert(
    fc.property(changes, window, instant, (list, { from, to }, cut) => {
      fc.pre(cut > from && cut < to);
      const whole = presenceStretches(list, from, to);
      const parts = [...stretchesWithin(whole, from, cut), ...stretchesWithin(whole, cut, to)];
      expect(uptimeOf(parts)).toBe(uptimeOf(whole));
    }),
  );
});

test('periods without duration are omitted', () => {
  const blinked = [
    { at: 0, online: false },
    { at: 5, online: true },
    { at: 5, online: false },
  ];
  expect(presenceStretches(blinked, 0, 10)).toEqual([{ from: 0, to: 10, state: 'offline' }]);
});
