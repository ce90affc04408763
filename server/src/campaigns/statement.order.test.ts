import { addDays, zonedInstant } from '@ams/contract';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OpenTimes } from './carriers.ts';
import { type Order, spreadByDay, spreadOrder } from './statement.order.ts';
import type { Rules } from './carriers.sql.ts';
import type { CarriedBy, JoinedOrder } from './statement.queries.ts';

const HOUR_MS = 3_600_000;
const BOOKED_AT = Date.parse('2026-11-02T09:30:00Z');
const EVERY_MS = 700_000;
const SCHEDULE = { from: '2026-11-03', to: '2026-11-20' };
const PERIOD = { from: '0001-01-01', to: '9999-12-31' };
const END = Date.parse('2026-11-24T00:00:00Z');

const rules = fc.record<Rules>({
  timeZone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Los_Angeles'),
  expiresOn: fc.constant(null),
  hours: fc.constantFrom(null, {
    weekly: { 1: [{ from: '08:15', to: '20:00' }], 6: [{ from: '22:00', to: '02:00' }] },
    exceptions: [],
  }),
});
const instant = fc.integer({ min: BOOKED_AT, max: END });

/** The plays that a device adds which joins at one instant and leaves at another. */
const joinOf = (agreed: Rules, from: number, to: number | null): JoinedOrder => {
  const open = new OpenTimes().between({ schedule: SCHEDULE, ...agreed }, from, to ?? END);
  return { agreed, from, to, plays: Math.floor(open / EVERY_MS) };
};

const carrier = (deviceId: string, agreed: Rules, joins: JoinedOrder[] | null): CarriedBy => ({
  ...{
    deviceId,
    name: deviceId,
    area: null,
    isSeen: true,
    mac: null,
    timeZone: 'UTC',
    isOrdered: joins === null,
    joins: joins ?? [],
  },
  ...{ everyMs: EVERY_MS, joinedAt: BOOKED_AT, leftAt: null, away: [], agreed, now: agreed, pace: null },
});

const orderOf = (plays: number): Order => ({ plays, schedule: SCHEDULE, bookedAt: BOOKED_AT, dueUntil: END });
const sumOf = (shares: Iterable<{ ordered: number }>): number =>
  Array.from(shares).reduce((sum, { ordered }) => sum + ordered, 0);

const given = {
  booked: fc.array(rules, { minLength: 1, maxLength: 3 }),
  joined: fc.array(fc.record({ agreed: rules, from: instant, to: fc.option(instant) }), { maxLength: 3 }),
  plays: fc.integer({ min: 1, max: 9000 }),
};

/** A booked campaign, and what it is once devices have joined it. */
function campaignOf({
  booked,
  joined,
  plays,
}: {
  booked: Rules[];
  joined: { agreed: Rules; from: number; to: number | null }[];
  plays: number;
}) {
  const joins = joined.map(({ agreed, from, to }) => joinOf(agreed, from, to === null ? null : Math.max(from, to)));
  const first = booked.map((agreed, index) => carrier(`booked ${index}`, agreed, null));
  const later = joins.map((join, index) => carrier(`joined ${index}`, join.agreed, [join]));
  return { joins, first, later, order: orderOf(joins.reduce((sum, join) => sum + join.plays, plays)) };
}

test('devices that join add their plays to each view of the order, and leave the part of the others as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(given), async (each) => {
      const { first, later, order, joins } = campaignOf(each);
      const { byDevice, byDay } = await spreadOrder(order, [...first, ...later], PERIOD);
      const before = await spreadOrder(orderOf(each.plays), first, PERIOD);
      expect([...byDevice].slice(0, first.length)).toEqual([...before.byDevice]);
      for (const [index, { plays }] of joins.entries()) expect(byDevice.get(`joined ${index}`)?.ordered).toBe(plays);
      const joined = sumOf(joins.map(({ plays }) => ({ ordered: plays })));
      expect([sumOf(byDevice.values()), sumOf(byDay.values())]).toEqual(
        Array.from({ length: 2 }, () => sumOf(before.byDay.values()) + joined),
      );
    }),
  );
});

test('the order by day alone is that of the devices', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(given), async (each) => {
      const { first, later, order } = campaignOf(each);
      const classes = [...first, ...later].map(({ agreed, everyMs, joins: [join = null] }) => ({
        agreed,
        everyMs,
        devices: 1,
        join,
      }));
      const byDay = await spreadByDay(order, classes);
      const { byDay: spread } = await spreadOrder(order, [...first, ...later], PERIOD);
      // Halves may be rounded either way: sums of floats depend on their order.
      for (const [day, { ordered }] of spread) expect(Math.abs((byDay.get(day) ?? 0) - ordered)).toBeLessThanOrEqual(1);
      expect([...byDay.values()].reduce((sum, plays) => sum + plays, 0)).toBe(sumOf(spread.values()));
    }),
  );
});

test('days before a device leaves keep what it had added to them', async () => {
  await fc.assert(
    fc.asyncProperty(rules, instant, fc.nat(300), async (agreed, from, hours) => {
      const to = from + hours * HOUR_MS;
      const daysWith = async (join: JoinedOrder) => {
        const carriers = [carrier('screen', agreed, null), carrier('joined', agreed, [join])];
        return (await spreadOrder(orderOf(join.plays), carriers, PERIOD)).byDay;
      };
      const [stays, leaves] = [await daysWith(joinOf(agreed, from, null)), await daysWith(joinOf(agreed, from, to))];
      // By the clock of each zone, the day before the one on which it left is over.
      const past = new Date(to - 24 * HOUR_MS).toISOString().slice(0, 10);
      for (const [day, share] of stays) if (day < past) expect([day, leaves.get(day)]).toEqual([day, share]);
    }),
  );
});

test('each day has the plays that the open time of the device completes on it, from when it joined until it left', async () => {
  await fc.assert(
    fc.asyncProperty(rules, instant, fc.option(instant), instant, async (agreed, from, until, dueUntil) => {
      const join = joinOf(agreed, from, until === null ? null : Math.max(from, until));
      const order = { ...orderOf(join.plays), dueUntil };
      const { byDay } = await spreadOrder(order, [carrier('joined', agreed, [join])], PERIOD);
      const times = new OpenTimes();
      let [open, before] = [0, 0];
      for (let day = SCHEDULE.from; day <= addDays(SCHEDULE.to, 1); day = addDays(day, 1)) {
        const begin = Math.max(zonedInstant(day, 0, agreed.timeZone), join.from);
        const end = Math.min(zonedInstant(addDays(day, 1), 0, agreed.timeZone), join.to ?? Infinity);
        const openUntil = (to: number) => times.between({ schedule: SCHEDULE, ...agreed }, begin, Math.max(begin, to));
        const openMs = openUntil(end);
        open += openMs;
        const ordered = Math.min(Math.floor(open / EVERY_MS), join.plays) - before;
        before += ordered;
        const due = openMs > 0 ? Math.floor((ordered * openUntil(Math.min(end, dueUntil))) / openMs) : 0;
        expect([day, byDay.get(day)]).toEqual([day, { ordered, due }]);
      }
    }),
  );
});

test('moments at which devices join do not multiply the days of an order', async () => {
  const agreed: Rules = { timeZone: 'Asia/Kolkata', expiresOn: null, hours: null };
  const count = async (moments: number): Promise<{ dates: number; spans: number }> => {
    const joined = Array.from({ length: moments }, (_, index) => {
      const join = joinOf(agreed, BOOKED_AT + index * 60_000, null);
      return carrier(`joined ${index}`, agreed, [join]);
    });
    const dates = vi.spyOn(Date, 'parse');
    const spans = vi.spyOn(OpenTimes.prototype, 'between');
    await spreadOrder(orderOf(9000), joined, PERIOD);
    const counted = { dates: dates.mock.calls.length, spans: spans.mock.calls.length };
    dates.mockRestore();
    spans.mockRestore();
    return counted;
  };
  const [one, many] = [await count(1), await count(200)];
  expect(many.dates).toBe(one.dates);
  expect(many.spans - one.spans).toBeLessThan(200 * 4);
});

test('an order is distributed over many devices in small steps, between which the process answers others', async () => {
  let turns = 0;
  const take = (): void => {
    turns += 1;
    next = setImmediate(take);
  };
  let next = setImmediate(take);
  onTestFinished(() => clearImmediate(next));
  const agreed: Rules = { timeZone: 'Asia/Kolkata', expiresOn: null, hours: null };
  const alike = Array.from({ length: 500 }, (_, index) => carrier(`alike ${index}`, agreed, null));
  const days = (await spreadOrder(orderOf(9000), alike, PERIOD)).byDay.size;
  expect(turns).toBeGreaterThanOrEqual(days);

  const classes = Array.from({ length: 30 }, (_, index) => {
    const expiresOn = addDays(SCHEDULE.from, index);
    return { agreed: { ...agreed, expiresOn }, everyMs: EVERY_MS, devices: 1, join: null };
  });
  turns = 0;
  await spreadByDay(orderOf(9000), classes);
  expect(turns).toBeGreaterThanOrEqual(classes.length);
});
