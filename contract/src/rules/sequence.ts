import { type Region, regionsOfSplit } from '../vocabulary.ts';
import type { Programme, ProgrammeItem } from '../player.ts';

/** One region's way through its playlist: a permutation of its items and the place in it. */
interface Lane {
  order: readonly number[];
  at: number;
  /** Rounds played so far. */
  round: number;
}

/**
 * State of one screen: programmes in turn, each region of the current one at its own pace.
 * Only the pure functions in this file change it: asking twice for the next item gives the same answer, so it can be
 * decoded early.
 */
export interface Rotation {
  programmes: readonly Programme[];
  /** Index of the programme on screen. */
  current: number;
  lanes: Partial<Record<Region, Lane>>;
  /** The region whose round decides when the programme hands over. */
  lead: Region;
  seed: number;
  /** How many programmes have begun: it names the turn. */
  turn: number;
}

export type Step =
  /** The region continues with `item`. */
  | { kind: 'item'; rotation: Rotation; item: ProgrammeItem }
  /** The leading region has finished its round: the next programme begins, or the same again. */
  | { kind: 'handOver'; rotation: Rotation }
  /** A programme that plays once has done so. */
  | { kind: 'finished'; releaseId: string };

/** 32 bits well mixed (the finaliser of MurmurHash3): neighbouring inputs give unrelated results. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const textSeed = (text: string): number => Array.from(text).reduce((h, c) => mix(h ^ (c.codePointAt(0) ?? 0)), 0);

/** A permutation of 0 … length − 1 (Fisher–Yates) that does not begin with `last`, so that nothing shows twice running. */
function shuffled(length: number, seed: number, last: number | undefined): number[] {
  const order = Array.from({ length }, (_, index) => index);
  const swap = (a: number, b: number) => {
    [order[a], order[b]] = [order[b] ?? 0, order[a] ?? 0];
  };
  for (let index = length - 1; index > 0; index--) swap(index, mix(seed + index) % (index + 1));
  if (length > 1 && order[0] === last) swap(0, 1 + (mix(seed) % (length - 1)));
  return order;
}

const itemsOf = (programme: Laid, region: Region): readonly ProgrammeItem[] => programme.regions[region] ?? [];

/** The parts of a programme that place items in regions. */
export type Laid = Pick<Programme, 'orientation' | 'split' | 'regions'>;

/** Regions of a programme that have something to show, in layout order. */
export const regionsOf = (programme: Laid): Region[] =>
  (regionsOfSplit(programme.orientation, programme.split) ?? [])
    .map(({ region }) => region)
    .filter((region) => itemsOf(programme, region).length > 0);

const roundMs = (programme: Laid, region: Region): number =>
  itemsOf(programme, region).reduce((sum, item) => sum + item.durationMs, 0);

/** The region with the longest round; of equals the first in the layout. */
export const leadOf = (programme: Laid): Region | undefined =>
  regionsOf(programme).reduce<Region | undefined>(
    (lead, region) => (lead && roundMs(programme, lead) >= roundMs(programme, region) ? lead : region),
    undefined,
  );

function orderFor(programme: Programme, region: Region, seed: number, before: Lane | undefined): number[] {
  const { length } = itemsOf(programme, region);
  if (programme.playMode !== 'shuffle') return Array.from({ length }, (_, index) => index);
  return shuffled(length, mix(seed ^ textSeed(region)), before?.order.at(-1));
}

function begin(programmes: readonly Programme[], current: number, seed: number, turn: number): Rotation | undefined {
  const programme = programmes[current];
  const lead = programme && leadOf(programme);
  if (!programme || !lead) return undefined;
  const laneSeed = mix(seed ^ turn);
  const lanes = Object.fromEntries(
    regionsOf(programme).map((region) => [
      region,
      { order: orderFor(programme, region, laneSeed, undefined), at: 0, round: 0 } satisfies Lane,
    ]),
  );
  return { programmes, current, lanes, lead, seed, turn };
}

const playable = (programmes: readonly Programme[]): Programme[] =>
  programmes.filter((programme) => leadOf(programme) !== undefined);

/** A rotation from its first programme on; undefined when no programme has anything to show. */
export const startRotation = (programmes: readonly Programme[], seed: number): Rotation | undefined =>
  begin(playable(programmes), 0, seed, 0);

export const programmeOf = (rotation: Rotation): Programme | undefined => rotation.programmes[rotation.current];

/** The item a region is at. */
export function currentItem(rotation: Rotation, region: Region): ProgrammeItem | undefined {
  const programme = programmeOf(rotation);
  const lane = rotation.lanes[region];
  const index = lane?.order[lane.at];
  return programme && index !== undefined ? itemsOf(programme, region)[index] : undefined;
}

/** The programme after the current one, from its beginning. */
export const nextProgramme = (rotation: Rotation): Rotation | undefined =>
  begin(rotation.programmes, (rotation.current + 1) % rotation.programmes.length, rotation.seed, rotation.turn + 1);

function endOfRound(rotation: Rotation, programme: Programme): Step | undefined {
  if (programme.playMode === 'once') return { kind: 'finished', releaseId: programme.releaseId };
  if (rotation.programmes.length < 2) return undefined;
  const next = nextProgramme(rotation);
  return next && { kind: 'handOver', rotation: next };
}

/**
 * The next state when a region's item has ended (or could not be shown).
 *
 * A region repeats its playlist while its programme is on screen. The programme stays for one round of its leading
 * region, the one with the longest round; then the next programme takes the whole screen, so that no region stays dark. A
 * single programme continues without a break; one that plays once ends after this round.
 */
export function nextStep(rotation: Rotation, region: Region): Step | undefined {
  const programme = programmeOf(rotation);
  const lane = rotation.lanes[region];
  if (!programme || !lane) return undefined;
  const roundOver = lane.at + 1 >= lane.order.length;
  const end = roundOver && region === rotation.lead ? endOfRound(rotation, programme) : undefined;
  if (end) return end;
  const round = lane.round + 1;
  const moved: Lane = roundOver
    ? { order: orderFor(programme, region, mix(rotation.seed ^ rotation.turn) + round, lane), at: 0, round }
    : { ...lane, at: lane.at + 1 };
  const after = { ...rotation, lanes: { ...rotation.lanes, [region]: moved } };
  const item = currentItem(after, region);
  return item && { kind: 'item', rotation: after, item };
}

export type Rescheduled =
  /** Visible items stay; only later ones change. */
  { kind: 'goOn'; rotation: Rotation } | { kind: 'begin'; rotation: Rotation } | { kind: 'nothing' };

/** Everything that a programme shows, without its schedule. */
const showOf = (programme: Programme): string =>
  JSON.stringify({ ...programme, schedule: null, endsAt: null, priority: null });
const sameShow = (a: Programme, b: Programme): boolean => showOf(a) === showOf(b);

/** Position at which a changed list resumes: the item that was next, or the first. */
function successor(rotation: Rotation | undefined, list: readonly Programme[]): number {
  if (!rotation) return 0;
  const { programmes, current } = rotation;
  const coming = [...programmes.slice(current + 1), ...programmes.slice(0, current)];
  const found = coming.map((old) => list.findIndex((programme) => sameShow(programme, old))).find((at) => at >= 0);
  return found ?? 0;
}

/** Takes over a new list of programmes without interrupting the one on screen when it is still part of it. */
export function reschedule(
  rotation: Rotation | undefined,
  programmes: readonly Programme[],
  seed: number,
): Rescheduled {
  const list = playable(programmes);
  const onScreen = rotation && programmeOf(rotation);
  const current = onScreen ? list.findIndex((programme) => sameShow(programme, onScreen)) : -1;
  if (rotation && current >= 0) return { kind: 'goOn', rotation: { ...rotation, programmes: list, current } };
  const fresh = begin(list, successor(rotation, list), seed, (rotation?.turn ?? -1) + 1);
  return fresh ? { kind: 'begin', rotation: fresh } : { kind: 'nothing' };
}
