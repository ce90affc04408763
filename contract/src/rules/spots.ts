import { contentOf, type Pace, type Programme, type ProgrammeItem } from '../player.ts';
import type { CalendarRules } from './calendar.ts';
import { itemsOf, type Laid, leadOf, regionsOf, turnMs } from './lead.ts';
import { makeOpenTime } from './open-time.ts';
import { missedSpots, type PacedSpot, nextSpot } from './pacing.ts';

/** A release of a campaign. */
export type Paced = Programme & { pace: Pace };

export const isPaced = (programme: Programme): programme is Paced => programme.pace !== undefined;

/** Spots of a release that a screen has played in the flight, and when the last one began (milliseconds since 1970). */
export interface SpotCount {
  played: number;
  lastAt: number | null;
}

export type SpotCounts = ReadonlyMap<string, SpotCount>;

/** What the choice of a spot depends on besides campaigns and clock. */
export interface Screened {
  counts: SpotCounts;
  /** The programme that was on screen just before, if any. */
  last: Programme | undefined;
  hasFill: boolean;
}

/** The creatives of a campaign share its spots. */
const campaignOf = ({ pace, releaseId }: Paced): string => pace.campaignId ?? releaseId;

interface Line extends Pick<PacedSpot, 'due' | 'played' | 'sinceMs'> {
  programme: Paced;
}

interface Campaign extends Omit<PacedSpot, 'missed'> {
  lines: Line[];
}

/** A campaign as the sum of its creatives: two that are due every 20 s each make one spot every 10 s. */
function toCampaign(id: string, lines: Line[]): Campaign {
  return {
    id,
    lines,
    everyMs: 1 / lines.reduce((rate, { programme }) => rate + 1 / programme.pace.everyMs, 0),
    due: lines.reduce((sum, { due }) => sum + due, 0),
    played: lines.reduce((sum, { played }) => sum + played, 0),
    sinceMs: Math.min(...lines.map(({ sinceMs }) => sinceMs)),
  };
}

const DAY_MS = 86_400_000;

/**
 * Where open time begins to count, in milliseconds since 1970: a campaign can be booked years ahead, and open time has a
 * horizon. Before the day before a flight, it has begun nowhere.
 */
const beginOf = (schedule: Paced['schedule'], paced: string): number =>
  Math.max(Date.parse(paced), schedule?.from ? Date.parse(`${schedule.from}T00:00:00Z`) - DAY_MS : 0);

/** What each campaign missed while its screen was dark, by id; a screen keeps it until it restarts. */
export type MissedSpots = Map<string, number>;

/**
 * Chooses the spot that plays next at an instant, for the rules of one device. Open time is computed once per pace, so a
 * chooser is kept for as long as the rules last.
 */
export function makeSpotChooser(rules: CalendarRules, missed: MissedSpots = new Map()) {
  const openTimes = new Map<string, (at: number) => number>();
  const openTimeOf = ({ schedule, pace }: Paced) => {
    const key = JSON.stringify([schedule, pace.from]);
    const known = openTimes.get(key) ?? makeOpenTime(schedule, rules, beginOf(schedule, pace.from));
    openTimes.set(key, known);
    return known;
  };
  const lineOf = (programme: Paced, counts: SpotCounts, now: number): Line => {
    const { everyMs, dueBefore = 0 } = programme.pace;
    const openTime = openTimeOf(programme);
    const { played, lastAt } = counts.get(programme.releaseId) ?? { played: 0, lastAt: null };
    const open = openTime(now);
    // A clock that was set back is behind the last spot.
    const sinceMs = lastAt === null || lastAt > now ? Infinity : open - openTime(lastAt);
    return { programme, played, sinceMs, due: dueBefore + Math.max(open, 0) / everyMs };
  };
  return (paced: readonly Paced[], now: number, { counts, last, hasFill }: Screened): Paced | undefined => {
    const groups = new Map<string, Line[]>();
    for (const programme of paced) {
      const id = campaignOf(programme);
      const line = lineOf(programme, counts, now);
      const others = groups.get(id);
      if (others) others.push(line);
      else groups.set(id, [line]);
    }
    const campaigns = [...groups].map(([id, lines]) => {
      const campaign = toCampaign(id, lines);
      missed.set(id, missedSpots(missed.get(id) ?? 0, campaign));
      return { ...campaign, missed: missed.get(id) ?? 0 };
    });
    const lastId = last && isPaced(last) ? campaignOf(last) : null;
    const lines = nextSpot(campaigns, lastId, hasFill)?.lines ?? [];
    // Of its creatives the one that is furthest behind; the order of release decides between equals.
    return lines.toSorted((a, b) => b.due - b.played - (a.due - a.played))[0]?.programme;
  };
}
export type SpotChooser = ReturnType<typeof makeSpotChooser>;

/** Items that can begin a shuffled round together. */
interface Beginnings {
  items: number;
  ms: number;
  /** How many such sets of items there are, and how often they contain the file. */
  sets: number;
  times: number;
}

/** The limit of beginnings that differ in their number of items or in their length. */
const BEGINNINGS_MAX = 4096;

/** The beginnings of a shuffled round that end in time; undefined: there are too many. */
function beginningsWithin(ms: number, items: readonly ProgrammeItem[], sha256: string): Beginnings[] | undefined {
  const keyOf = (begun: Pick<Beginnings, 'items' | 'ms'>): number => begun.ms * (items.length + 1) + begun.items;
  const found = new Map<number, Beginnings>([[0, { items: 0, ms: 0, sets: 1, times: 0 }]]);
  for (const item of items) {
    const time = contentOf(item) === sha256 ? 1 : 0;
    for (const each of [...found.values()]) {
      const longer = { items: each.items + 1, ms: each.ms + item.durationMs };
      if (longer.ms > ms) continue;
      const same = found.get(keyOf(longer));
      found.set(keyOf(longer), {
        items: longer.items,
        ms: longer.ms,
        sets: each.sets + (same?.sets ?? 0),
        times: each.times + time * each.sets + (same?.times ?? 0),
      });
    }
    if (found.size > BEGINNINGS_MAX) return undefined;
  }
  return [...found.values()];
}

const timesIn = (items: readonly ProgrammeItem[], sha256: string): number =>
  items.filter((item) => contentOf(item) === sha256).length;

/** How often a file ends in time in a round in the written order. */
function timesInOrder(ms: number, items: readonly ProgrammeItem[], sha256: string): number {
  let left = ms;
  const end = items.findIndex(({ durationMs }) => (left -= durationMs) < 0);
  return timesIn(items.slice(0, end), sha256);
}

/** If there are too many beginnings, the mean is that of 1000 orders. */
const ORDERS = 1000;
/** The generator of Park and Miller: the server needs the same answer each time. */
const FACTOR = 48_271;
const PRIME = 2_147_483_647;

function meanOfSomeOrders(ms: number, items: readonly ProgrammeItem[], sha256: string): number {
  const order = [...items];
  let [random, sum] = [1, 0];
  for (let nth = 0; nth < ORDERS; nth += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      random = (random * FACTOR) % PRIME;
      order.push(...order.splice(random % (at + 1), 1));
    }
    sum += timesInOrder(ms, order, sha256);
  }
  return sum / ORDERS;
}

/**
 * How often a file ends in time in a shuffled round, as the mean over all orders: of the items that begin a round, each is
 * as often the last of them.
 */
function timesShuffled(ms: number, items: readonly ProgrammeItem[], sha256: string): number {
  const beginnings = beginningsWithin(ms, items, sha256);
  if (!beginnings) return meanOfSomeOrders(ms, items, sha256);
  // How many sets of so many items there are.
  const sets = [1];
  for (const index of items.keys()) sets.push(((sets[index] ?? 1) * (items.length - index)) / (index + 1));
  return beginnings.reduce((sum, each) => sum + each.times / (Math.max(each.items, 1) * (sets[each.items] ?? 1)), 0);
}

/**
 * How often a region shows a file to its end in so many milliseconds: it repeats its round, and what it is at in the end
 * does not count.
 */
function timesWithin(ms: number, items: readonly ProgrammeItem[], sha256: string, isShuffled: boolean): number {
  const roundMs = items.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const times = timesIn(items, sha256);
  if (roundMs === 0 || times === 0) return 0;
  const more = isShuffled ? timesShuffled : timesInOrder;
  return Math.floor(ms / roundMs) * times + more(ms % roundMs, items, sha256);
}

/**
 * What each play of a file adds to the spots of a release: the plays of one file of the leading region's round add up to
 * one spot, its other files take time only. Files that are not here count for nothing.
 *
 * A play is reported without its region. So the file is one that no other region shows; if they show all of them, its
 * plays in the other regions are parts of the spot as well.
 */
export function spotParts(programme: Laid & Pick<Programme, 'playMode'>): Map<string, number> {
  const lead = leadOf(programme);
  const leading = lead ? itemsOf(programme, lead) : [];
  const others = regionsOf(programme).flatMap((region) => (region === lead ? [] : [itemsOf(programme, region)]));
  const round = leading.map(contentOf);
  const elsewhere = new Set(others.flat().map(contentOf));
  const timesOf = (sha256: string) => round.filter((each) => each === sha256).length;
  const sure = round.filter((sha256) => !elsewhere.has(sha256));
  const [marker] = (sure.length > 0 ? sure : round).toSorted((a, b) => timesOf(a) - timesOf(b));
  if (marker === undefined) return new Map();
  const ms = turnMs(programme);
  const isShuffled = programme.playMode === 'shuffle';
  const plays = others.reduce((sum, items) => sum + timesWithin(ms, items, marker, isShuffled), timesOf(marker));
  return new Map(round.map((sha256) => [sha256, sha256 === marker ? 1 / plays : 0]));
}
