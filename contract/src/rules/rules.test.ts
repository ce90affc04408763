import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryInstant, expiryState, isDark, isExpired } from './expiry.ts';
import { deviceLabel, formatMac, localMac, macSearch, parseMac } from './mac.ts';
import { covers, explainPlaying, lastCovered, playingNow, reachable } from './programme.ts';
import { PROGRAMME_VECTORS, wholeProgramme } from './programme.vectors.ts';
import { PRIORITIES } from '../vocabulary.ts';
import { addDays, latestDate, localTime, zonedInstant } from './zone.ts';

const ZONES = [
  'UTC',
  'Asia/Shanghai',
  'America/New_York',
  'Europe/Berlin',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  // Zones whose clocks change at midnight, or by half an hour.
  'America/Havana',
  'America/Asuncion',
  'Asia/Beirut',
  'Africa/Cairo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.parse('2010-01-01'), max: Date.parse('2035-01-01') });
const date = instant.map((at) => new Date(at).toISOString().slice(0, 10));

test.each([
  ['AA-BB-CC-DD-EE-0F', 'aa:bb:cc:dd:ee:0f'],
  ['aabb.ccdd.ee0f', 'aa:bb:cc:dd:ee:0f'],
  [' aabbccddee0f ', 'aa:bb:cc:dd:ee:0f'],
  ['ＡＡ：ＢＢ：ＣＣ：ＤＤ：ＥＥ：０Ｆ', 'aa:bb:cc:dd:ee:0f'],
  ['aa:bb:cc:dd:ee', undefined],
  ['00:00:00:00:00:00', undefined],
  ['ff:ff:ff:ff:ff:ff', undefined],
  ['gg:bb:cc:dd:ee:0f', undefined],
])('the MAC %s is read as %s', (text, mac) => expect(parseMac(text)).toBe(mac));

test('a made-up MAC is locally administered, unicast and reads as itself', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), (random) => {
      const mac = localMac(random);
      expect(parseMac(mac)).toBe(mac);
      expect(Number.parseInt(mac.slice(0, 2), 16) & 3).toBe(2);
    }),
  );
});

test('a MAC is shown in upper case, and is the title of a device without a name', () => {
  const mac = 'aa:bb:cc:dd:ee:0f';
  expect(formatMac(mac)).toBe('AA:BB:CC:DD:EE:0F');
  expect(parseMac(formatMac(mac))).toBe(mac);
  expect(deviceLabel({ name: '', mac })).toBe('AA:BB:CC:DD:EE:0F');
  expect(deviceLabel({ name: 'Lobby', mac })).toBe('Lobby');
});

test('a search text is a part of a MAC only when it can be one', () => {
  expect(macSearch('AA-BB')).toBe('aabb');
  expect(macSearch('lobby')).toBeUndefined();
});

test('a device is expired from the first instant after its day in its own time zone, not before', () => {
  fc.assert(
    fc.property(date, zone, (day, timeZone) => {
      const at = expiryInstant(day, timeZone);
      expect(isExpired(day, timeZone, at)).toBe(true);
      expect(isExpired(day, timeZone, at - 1000)).toBe(false);
      expect(localTime(at, timeZone).date > day).toBe(true);
    }),
  );
});

test('without a network a device stops playing at midnight of its own zone when its licence ends, never before', () => {
  fc.assert(
    fc.property(date, zone, (expiresAt, timeZone) => {
      const midnight = expiryInstant(expiresAt, timeZone);
      const manifest = { expired: false, expiresAt, timeZone };
      expect(isDark(manifest, midnight - 1000)).toBe(false);
      expect(isDark(manifest, midnight)).toBe(true);
      expect(isDark({ ...manifest, expiresAt: addDays(expiresAt, 2) }, midnight)).toBe(false);
      expect(isDark({ ...manifest, expiresAt: null }, midnight)).toBe(false);
      expect(isDark({ ...manifest, expired: true }, midnight - 1000)).toBe(true);
    }),
  );
});

test.each([
  // Summer time begins at midnight: the day after starts at 1:00.
  ['America/Havana', '2026-03-07', '2026-03-08T05:00:00Z'],
  ['Africa/Cairo', '2026-04-23', '2026-04-23T22:00:00Z'],
  // It ends at midnight: the last hour of the day comes twice.
  ['Africa/Cairo', '2026-10-29', '2026-10-29T22:00:00Z'],
  ['Atlantic/Azores', '2026-03-28', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T23:00:00Z'],
  ['Europe/Berlin', '2026-03-28', '2026-03-28T23:00:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-02T05:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04', '2026-04-04T13:00:00Z'],
  ['Asia/Kathmandu', '2026-11-21', '2026-11-21T18:15:00Z'],
])('in %s the day %s is over at %s, to the minute', (timeZone, day, over) => {
  expect(new Date(expiryInstant(day, timeZone)).toISOString()).toBe(new Date(over).toISOString());
});

test('a device is valid, expires soon and is expired in this order, each once', () => {
  const order = ['valid', 'expiring', 'expired'];
  fc.assert(
    fc.property(date, zone, instant, fc.nat(3 * 86_400_000), (day, timeZone, now, later) => {
      const state = (at: number) => order.indexOf(expiryState(day, timeZone, at, 30));
      expect(state(now + later)).toBeGreaterThanOrEqual(state(now));
      expect(expiryState(day, timeZone, now, 30) === 'expired').toBe(isExpired(day, timeZone, now));
    }),
  );
  expect(expiryState(null, 'UTC', 0, 30)).toBe('never');
});

test('a day that a time zone skipped is over when the day before it is', () => {
  // Samoa crossed the date line: after 29 December 2011 came the 31st.
  expect(expiryInstant('2011-12-30', 'Pacific/Apia')).toBe(expiryInstant('2011-12-29', 'Pacific/Apia'));
});

test('adding days goes over months and leap years', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
});

const at = (text: string): number => Date.parse(text);

test('hours are half-open and run over midnight from the day they start on', () => {
  const schedule = { weekdays: [5], hours: [{ from: '22:00', to: '02:00' }] };
  expect(covers(schedule, at('2026-11-20T21:59:59Z'), 'UTC')).toBe(false);
  expect(covers(schedule, at('2026-11-20T22:00:00Z'), 'UTC')).toBe(true);
  expect(covers(schedule, at('2026-11-21T01:59:59Z'), 'UTC')).toBe(true);
  expect(covers(schedule, at('2026-11-21T02:00:00Z'), 'UTC')).toBe(false);
  expect(covers(schedule, at('2026-11-21T22:30:00Z'), 'UTC')).toBe(false);
});

test('a schedule whose last hours run over midnight covers a part of the day after it', () => {
  const days = { from: '2026-11-16', to: '2026-11-20' };
  const last = (from: string, to: string, weekdays: number[] = []) =>
    lastCovered({ ...days, weekdays, hours: [{ from, to }] });
  expect([lastCovered(days), last('22:00', '02:00'), last('22:00', '02:00', [5])]).toEqual([
    days.to,
    '2026-11-21',
    '2026-11-21',
  ]);
  expect([last('22:00', '02:00', [4]), last('22:00', '24:00'), last('00:00', '00:00')]).toEqual([
    days.to,
    days.to,
    days.to,
  ]);
});

test("dates are those of the device's time zone", () => {
  const schedule = { from: '2026-11-21', to: '2026-11-21' };
  expect(covers(schedule, at('2026-11-20T16:00:00Z'), 'Asia/Shanghai')).toBe(true);
  expect(covers(schedule, at('2026-11-20T16:00:00Z'), 'UTC')).toBe(false);
  expect(covers(schedule, at('2026-11-21T16:00:00Z'), 'Asia/Shanghai')).toBe(false);
});

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const schedule = fc.option(
  fc.record(
    {
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
      hours: fc.array(fc.record({ from: clock, to: clock }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
);
const programmes = fc.array(
  fc.record({
    schedule,
    priority: fc.constantFrom('normal' as const, 'urgent' as const, 'takeover' as const),
    endsAt: fc.option(
      instant.map((ms) => new Date(ms).toISOString()),
      { nil: undefined },
    ),
    replace: fc.boolean(),
    playMode: fc.constantFrom('sequence' as const, 'shuffle' as const, 'once' as const),
  }),
  { maxLength: 8 },
);

test.each(PROGRAMME_VECTORS)('$title', ({ timeZone, programmes: given, plays }) => {
  const list = given.map(wholeProgramme);
  for (const [moment, names] of Object.entries(plays)) {
    expect([moment, ...playingNow(list, at(moment), timeZone).map(({ name }) => name)]).toEqual([moment, ...names]);
    const explained = explainPlaying(list, at(moment), timeZone).filter(({ verdict }) => verdict.kind === 'plays');
    expect([moment, ...explained.map((entry) => entry.programme.name)]).toEqual([moment, ...names]);
    expect(playingNow(reachable(list), at(moment), timeZone)).toEqual(playingNow(list, at(moment), timeZone));
  }
});

test('programmes omitted as unreachable never play', () => {
  fc.assert(
    fc.property(programmes, instant, zone, (list, now, timeZone) => {
      expect(playingNow(reachable(list), now, timeZone)).toEqual(playingNow(list, now, timeZone));
    }),
  );
});

test('a programme that plays once keeps its predecessor reachable', () => {
  const lasting = { schedule: null, priority: 'normal' as const, replace: true, playMode: 'sequence' as const };
  const once = { ...lasting, playMode: 'once' as const };
  expect(reachable([lasting, once])).toEqual([lasting, once]);
  expect(reachable([once, lasting])).toEqual([lasting]);
  expect(reachable([lasting, { ...once, priority: 'urgent' }])).toHaveLength(2);
});

test('default content stays reachable beneath what plays always', () => {
  const always = { schedule: null, priority: 'normal' as const, replace: true, playMode: 'sequence' as const };
  const content = { ...always, priority: 'default' as const };
  expect(reachable([content, always])).toEqual([content, always]);
  expect(reachable([always, content])).toEqual([always, content]);
});

test('a takeover drops nothing beneath it', () => {
  fc.assert(
    fc.property(programmes, (list) => {
      const others = list.filter(({ priority }) => priority !== 'takeover');
      const takeovers = list.filter(({ priority }) => priority === 'takeover');
      expect(reachable([...others, ...takeovers])).toEqual([...reachable(others), ...takeovers]);
    }),
  );
});

test('the newest takeover that has not ended plays alone; the device then plays what it played without takeovers', () => {
  fc.assert(
    fc.property(programmes, instant, zone, (list, now, timeZone) => {
      const others = list.filter(({ priority }) => priority !== 'takeover');
      const newest = list.findLast(
        ({ priority, schedule: hours, endsAt }) =>
          priority === 'takeover' && covers(hours, now, timeZone) && (endsAt === undefined || now < at(endsAt)),
      );
      expect(playingNow(list, now, timeZone)).toEqual(newest ? [newest] : playingNow(others, now, timeZone));
    }),
  );
});

test('all playing programmes are scheduled and of one priority, and no urgent one waits', () => {
  fc.assert(
    fc.property(programmes, instant, zone, (list, now, timeZone) => {
      const playing = playingNow(list, now, timeZone);
      expect(playing.every((programme) => covers(programme.schedule, now, timeZone))).toBe(true);
      expect(new Set(playing.map((programme) => programme.priority)).size).toBeLessThan(2);
      expect(playing.slice(1).some((programme) => programme.replace)).toBe(false);
    }),
  );
});

test('a programme that does not play is not scheduled or is outranked by a playing one', () => {
  fc.assert(
    fc.property(programmes, instant, zone, (list, now, timeZone) => {
      const explained = explainPlaying(list, now, timeZone);
      const playing = playingNow(list, now, timeZone);
      expect(explained.map(({ programme }) => programme)).toEqual(list);
      for (const { programme, verdict } of explained) {
        const hasEnded = programme.endsAt !== undefined && now >= at(programme.endsAt);
        expect(verdict.kind === 'notScheduled').toBe(hasEnded || !covers(programme.schedule, now, timeZone));
        if (verdict.kind !== 'outranked') continue;
        expect(verdict.by).toBe(playing[0]);
        const [own, other] = [list.indexOf(programme), list.indexOf(verdict.by)];
        if (verdict.why === 'replaced') {
          expect(verdict.by.replace || verdict.by.priority === 'takeover').toBe(true);
          expect(own < other && programme.priority === verdict.by.priority).toBe(true);
        } else {
          expect(verdict.by.priority).toBe(verdict.why === 'released' ? 'normal' : verdict.why);
          expect(PRIORITIES.indexOf(programme.priority)).toBeLessThan(PRIORITIES.indexOf(verdict.by.priority));
        }
      }
    }),
  );
});

/** Berlin: on 29 March 2026 the clock goes from 02:00 to 03:00, on 25 October 2026 from 03:00 back to 02:00. */
const atNight = (from: string, to: string) => ({ hours: [{ from, to }] });

test.each([
  ['the minute before the skipped hour', '02:00', '03:00', '2026-03-29T00:59:00Z', false],
  ['the skipped hour itself never comes', '02:00', '03:00', '2026-03-29T01:00:00Z', false],
  ['hours that begin in the skipped hour begin after it', '02:30', '04:00', '2026-03-29T01:00:00Z', true],
  ['hours that end in the skipped hour end before it', '01:00', '02:30', '2026-03-29T00:59:00Z', true],
  ['and do not continue after it', '01:00', '02:30', '2026-03-29T01:00:00Z', false],
  ['the repeated hour counts the first time', '02:00', '03:00', '2026-10-25T00:30:00Z', true],
  ['and the second time', '02:00', '03:00', '2026-10-25T01:30:00Z', true],
  ['but not a third time', '02:00', '03:00', '2026-10-25T02:00:00Z', false],
  ['half of the repeated hour counts twice', '02:30', '03:00', '2026-10-25T00:29:00Z', false],
  ['its first time', '02:30', '03:00', '2026-10-25T00:30:00Z', true],
  ['not between the two', '02:30', '03:00', '2026-10-25T01:00:00Z', false],
  ['its second time', '02:30', '03:00', '2026-10-25T01:30:00Z', true],
  ['over midnight into the skipped hour', '23:00', '02:30', '2026-03-29T00:59:00Z', true],
  ['over midnight past the skipped hour', '23:00', '02:30', '2026-03-29T01:00:00Z', false],
])('daylight saving: %s', (_, from, to, instantText, covered) => {
  expect(covers(atNight(from, to), at(instantText), 'Europe/Berlin')).toBe(covered);
});

test('a wall clock reading names the instant that shows it, of two the first, else the first after the gap', () => {
  fc.assert(
    fc.property(instant, zone, (now, timeZone) => {
      const { date: day, minutes } = localTime(now, timeZone);
      const found = zonedInstant(day, minutes, timeZone);
      expect(localTime(found, timeZone)).toMatchObject({ date: day, minutes });
      expect(found).toBeLessThanOrEqual(now);
    }),
  );
  expect(zonedInstant('2026-03-29', 150, 'Europe/Berlin')).toBe(at('2026-03-29T01:00:00Z'));
  expect(zonedInstant('2026-10-25', 150, 'Europe/Berlin')).toBe(at('2026-10-25T00:30:00Z'));
  expect(zonedInstant('2011-12-30', 600, 'Pacific/Apia')).toBe(at('2011-12-30T10:00:00Z'));
});

test('the clocks of the first days that there are', () => {
  for (const timeZone of ZONES) {
    for (const day of ['0001-01-01', '0001-01-02', '0476-09-04', '0999-12-31']) {
      expect(localTime(zonedInstant(day, 600, timeZone), timeZone)).toMatchObject({ date: day, minutes: 600 });
    }
  }
});

test('of several clocks, the latest date is known', () => {
  const evening = Date.parse('2027-03-02T03:00:00Z');
  const zones = ['Asia/Tokyo', 'America/New_York', 'UTC'];
  expect(latestDate(evening, zones)).toBe('2027-03-02');
  expect(latestDate(evening, ['America/New_York'])).toBe('2027-03-01');
  expect(latestDate(evening, [])).toBe('2027-03-02');
});
