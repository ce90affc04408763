import { makeOpenTime, type Schedule } from '@ams/contract';

export const HOUR_MS = 3_600_000;
export const HOURS = 30 * 24;
/** In the middle of it Berlin's clock goes back. */
const START = Date.parse('2026-10-10T00:00:00Z');
const ZONES = ['Europe/Berlin', 'Asia/Shanghai'] as const;
const WORKING_HOURS = Object.fromEntries(
  Array.from({ length: 7 }, (_, day) => [day + 1, [{ from: '06:00', to: '23:00' }]]),
);
export const SELLABLE = 0.8;
export const FILL_MS = 10_000;

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Campaign {
  spotMs: number;
  /** Open time since the start of the simulation at the beginning of each hour, by zone; one more than there are hours. */
  open: Float64Array[];
  ordered: number;
  /** Its pairs, by number. */
  pairs: number[];
}

/** A campaign on a device. */
export interface Pair {
  campaign: number;
  device: number;
  everyMs: number;
}

export interface Scenario {
  devices: { zone: number; pairs: number[]; diesAt: number }[];
  campaigns: Campaign[];
  pairs: Pair[];
  /** The load of each device (0–1) in each hour. */
  loads: Float64Array[];
}

const WEEKDAYS: Schedule['weekdays'][] = [null, [1, 2, 3, 4, 5]];
const DAY_PARTS: Schedule['hours'][] = [null, [{ from: '08:00', to: '20:00' }], [{ from: '11:00', to: '14:00' }]];

const dateOf = (day: number): string => new Date(START + day * 24 * HOUR_MS).toISOString().slice(0, 10);
const oneOf = <T>(random: () => number, list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

/** Open time at the beginning of each hour: hours and zones are such that each hour is open as a whole or not at all. */
function openHours(schedule: Schedule): Float64Array[] {
  return ZONES.map((timeZone) => {
    const rules = { timeZone, expiresOn: null, workingHours: { weekly: WORKING_HOURS, exceptions: [] } };
    const openTime = makeOpenTime(schedule, rules, START);
    return Float64Array.from({ length: HOURS + 1 }, (_, hour) => openTime(START + hour * HOUR_MS));
  });
}

export const isOpen = (open: Float64Array | undefined, hour: number): boolean =>
  (open?.[hour + 1] ?? 0) > (open?.[hour] ?? 0);

function flight(random: () => number): Schedule {
  const first = Math.floor(random() * 20);
  const days = 5 + Math.floor(random() * (25 - first));
  return {
    from: dateOf(first),
    to: dateOf(Math.min(first + days, 29) - 1),
    weekdays: oneOf(random, WEEKDAYS) ?? null,
    hours: oneOf(random, DAY_PARTS) ?? null,
  };
}

/** Books campaigns on devices that have room in every hour, as the server does. */
export function makeScenario(devices: number, campaigns: number, doomed: number): Scenario {
  const random = randomFrom(17);
  const scenario: Scenario = {
    devices: Array.from({ length: devices }, (_, at) => ({ zone: at % ZONES.length, pairs: [], diesAt: Infinity })),
    campaigns: [],
    pairs: [],
    loads: Array.from({ length: devices }, () => new Float64Array(HOURS)),
  };
  for (let each = 0; each < doomed; each += 1) bookDoomed(scenario, each, random);
  for (let each = doomed; each < campaigns; each += 1) {
    const wanted = Math.round(devices * (0.05 + random() * 0.1));
    const chosen = Array.from(
      { length: wanted },
      () => doomed * DOOMED_DEVICES + Math.floor(random() * (devices - doomed * DOOMED_DEVICES)),
    );
    const perHour = 4 + Math.floor(random() * 9);
    book(scenario, flight(random), [10_000, 15_000, 20_000][each % 3] ?? 0, HOUR_MS / perHour, [...new Set(chosen)]);
  }
  return scenario;
}

const DOOMED_DEVICES = 5;

/** A campaign that fills most of five devices of its own, of which three break for good: nobody can make that good. */
function bookDoomed(scenario: Scenario, each: number, random: () => number): void {
  const own = Array.from({ length: DOOMED_DEVICES }, (_, at) => each * DOOMED_DEVICES + at);
  book(scenario, { from: dateOf(0), to: dateOf(27), weekdays: null, hours: null }, 15_000, 30_000, own);
  const diesAt = Math.floor((3 + random() * 15) * 24);
  for (const device of own.slice(0, 3)) Object.assign(scenario.devices[device] ?? {}, { diesAt });
}

function book(scenario: Scenario, schedule: Schedule, spotMs: number, everyMs: number, chosen: number[]): void {
  const open = openHours(schedule);
  const campaign: Campaign = { spotMs, open, ordered: 0, pairs: [] };
  const share = spotMs / everyMs;
  for (const device of chosen) {
    const carrier = scenario.devices[device];
    const loads = scenario.loads[device];
    if (!carrier || !loads) continue;
    const { zone, pairs } = carrier;
    if (loads.some((load, hour) => isOpen(open[zone], hour) && load + share > SELLABLE - RESERVED)) continue;
    for (const hour of loads.keys()) if (isOpen(open[zone], hour)) loads[hour] = (loads[hour] ?? 0) + share;
    const pair = scenario.pairs.push({ campaign: scenario.campaigns.length, device, everyMs }) - 1;
    pairs.push(pair);
    campaign.pairs.push(pair);
    campaign.ordered += Math.floor((open[zone]?.[HOURS] ?? 0) / everyMs);
  }
  scenario.campaigns.push(campaign);
}

/** Screens are booked up to this below what may be sold; 0: wholly. */
const RESERVED = Number(process.env['BENCH_RESERVED'] ?? 0);
