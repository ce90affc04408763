import { setImmediate } from 'node:timers/promises';
import {
  addDays,
  AppError,
  type Calendar,
  type CalendarClass,
  type CalendarQuery,
  type CalendarSlot,
  plannedSlots,
  type Screen,
  zonedInstant,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { matches, resolveFilter } from '../devices/devices.service.ts';
import { heldOn } from '../devices/verdict.service.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import {
  type CalendarEntry,
  classDevices,
  type DeviceClass,
  type HourOfPlays,
  playsByHour,
  readEntries,
} from './calendar.queries.ts';

const MINUTES_AN_HOUR = 60;

/** The calendar of a device in scope. Throws `NOT_FOUND`. */
export async function deviceCalendar(db: Db, viewer: Viewer, id: string, query: CalendarQuery): Promise<Calendar> {
  const isIt = sql<boolean>`d.id = ${id}::uuid and ${inScope(viewer, sql`d.owner_id`)}`;
  const calendar = await makeCalendar(db, viewer, isIt, query, id);
  if (calendar.devices === 0) throw new AppError('NOT_FOUND');
  return calendar;
}

/** The calendar of the devices of a group in scope. Throws `NOT_FOUND`. */
export async function groupCalendar(db: Db, viewer: Viewer, id: string, query: CalendarQuery): Promise<Calendar> {
  return makeCalendar(db, viewer, matches(viewer, await resolveFilter(db, viewer, { group: id })), query, undefined);
}

async function makeCalendar(
  db: Db,
  viewer: Viewer,
  chosen: RawBuilder<boolean>,
  query: CalendarQuery,
  device: string | undefined,
): Promise<Calendar> {
  const now = Date.now();
  const classes = await classDevices(db, chosen, query);
  const plays = await playsByHour(
    db,
    classes.map(({ sample }) => sample),
    query,
  );
  const ids = [...new Set([...classes.flatMap(({ held }) => held), ...plays.map(({ releaseId }) => releaseId)])];
  const entries = await readEntries(db, viewer, ids, device);
  const played = Map.groupBy(plays, ({ index }) => index);
  const shown: CalendarClass[] = [];
  for (const [index, each] of classes.entries()) {
    const slotsOn = async (screen: Screen): Promise<CalendarSlot[]> => {
      // Devices with many releases: the process answers others in between.
      await setImmediate();
      return [
        ...pastSlots(played.get(index) ?? [], screen, each, now, device !== undefined),
        ...futureSlots(each, entries, screen, query, now),
      ];
    };
    shown.push({
      devices: each.devices,
      example: each.example,
      timeZone: each.timeZone,
      screens: { main: await slotsOn('main'), secondary: each.hasSecondary ? await slotsOn('secondary') : null },
    });
  }
  return {
    at: new Date(now).toISOString(),
    devices: classes[0]?.total ?? 0,
    classes: shown,
    releases: [...entries.values()].map(({ id, ad, priority, open }) => ({ id, ad, priority, open })),
  };
}

/** Hours with proof of play up to `now`; consecutive ones of a day with the same releases become one slot. */
function pastSlots(
  plays: readonly HourOfPlays[],
  screen: Screen,
  { timeZone }: DeviceClass,
  now: number,
  isCounted: boolean,
): CalendarSlot[] {
  const hours = Map.groupBy(
    plays.filter((each) => each.screen === screen),
    ({ day, hour }) => zonedInstant(day, hour * MINUTES_AN_HOUR, timeZone),
  );
  const slots: CalendarSlot[] = [];
  let lastDay: string | undefined;
  for (const [from, inHour] of hours) {
    const [{ day, hour } = { day: '', hour: 0 }] = inHour;
    const to = Math.min(zonedInstant(day, (hour + 1) * MINUTES_AN_HOUR, timeZone), now);
    if (from >= to) continue;
    const releases = inHour.map(({ releaseId }) => releaseId);
    const count = isCounted ? inHour.reduce((sum, each) => sum + each.plays, 0) : null;
    const last = slots.at(-1);
    const goesOn = last && lastDay === day && last.to === iso(from) && last.releases.join() === releases.join();
    if (goesOn) Object.assign(last, { to: iso(to), plays: count === null ? null : (last.plays ?? 0) + count });
    else slots.push({ from: iso(from), to: iso(to), state: 'played', releases, plays: count });
    lastDay = day;
  }
  return slots;
}

/** The programmes that the rules let play from `now` on, within the days asked for. */
function futureSlots(
  { held, ...rules }: DeviceClass,
  entries: ReadonlyMap<string, CalendarEntry>,
  screen: Screen,
  days: CalendarQuery,
  now: number,
): CalendarSlot[] {
  const { timeZone } = rules;
  const from = Math.max(zonedInstant(days.from, 0, timeZone), now);
  const to = zonedInstant(addDays(days.to, 1), 0, timeZone);
  if (from >= to) return [];
  const here = held.flatMap((id) => {
    const entry = entries.get(id);
    return entry && (entry.onScreen === null || entry.onScreen === screen) ? [entry] : [];
  });
  const isFinished = ({ once = null, here: state = 'done', schedule }: CalendarEntry, at: number): boolean =>
    heldOn({ here: state, once, schedule }, screen, at, timeZone).isFinished;
  return plannedSlots(here, rules, from, to, isFinished).map((slot) => ({
    from: iso(slot.from),
    to: iso(slot.to),
    state: slot.state,
    releases: slot.playing.map(({ id }) => id),
    plays: null,
  }));
}

const iso = (instant: number): string => new Date(instant).toISOString();
