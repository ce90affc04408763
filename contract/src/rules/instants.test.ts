import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DayClock, InstantReader } from './instants.ts';
import { localTime } from './zone.ts';

const instant = fc.date({ min: new Date('1972-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });

test('instants are read as Date.parse reads them, whatever precedes them', () => {
  const reader = new InstantReader();
  const near = fc.tuple(instant, fc.integer({ min: 0, max: 3_600_000 })).map(([at, ms]) => new Date(at.getTime() + ms));
  const usual = near.map((at) => at.toISOString());
  const character = fc
    .tuple(usual, fc.nat(23), fc.constantFrom('0', '5', '6', '9', ':', '.', '-', 'T', 'Z', ' ', '+'))
    .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1));
  const offset = usual.map((text) => text.replace('Z', '+02:00'));
  fc.assert(
    fc.property(fc.array(fc.oneof(usual, character, offset, fc.string()), { maxLength: 10 }), (texts) => {
      for (const text of texts) expect(reader.read(text)).toBe(Date.parse(text));
    }),
    { numRuns: 2000 },
  );
});

test('days are those of the time zone', () => {
  fc.assert(
    fc.property(fc.array(instant), fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns'), (instants, zone) => {
      const clock = new DayClock(zone);
      for (const at of instants) expect(clock.dayOf(at.getTime())).toBe(localTime(at.getTime(), zone).date);
    }),
  );
});
