import type { Region } from '../vocabulary.ts';
import type { Programme, ProgrammeItem } from '../player.ts';
import { itemsOf, leadOf, regionsOf } from './lead.ts';
import { isPaced, type Paced } from './spots.ts';

/** One region's way through its playlist: a permutation of its items and the place in it. */
interface Lane {
  order: readonly number[];
  at: number;
  /** Rounds played so far. */
  round: number;
}

/** A place in the turns of the programmes. */
interface Place {
  /** Index of the programme whose turn it is. */
  current: number;
  lanes: Partial<Record<Region, Lane>>;
  /** The region whose round decides when the programme hands over. */
  lead: Region;
}

/**
 * State of one screen: programmes in turn, each region of the current one at its own pace, and between their items the
 * spots of campaigns.
 * Only the pure functions in this file change it: asking twice for the next item gives the same answer, so it can be
 * decoded early.
 */
export interface Rotation extends Place {
  /** The fill: programmes that play in turn. */
  programmes: readonly Programme[];
  /** The releases of campaigns, whose spots play when they are due. */
  paced: readonly Paced[];
  seed: number;
  /** How many programmes have begun: it names the turn. */
  turn: number;
  /** The spot on screen instead of the fill; lanes and lead are its own, and the fill resumes at `resume`. */
  spot?: { programme: Paced; resume: Place | undefined } | undefined;
  /** The spot that follows the item of the leading region, chosen when that item began. */
  cue?: Paced | undefined;
}

export type Step =
  /** The region continues with `item`. */
  | { kind: 'item'; rotation: Rotation; item: ProgrammeItem }
  /** Another programme begins, or the same again: the leading region has finished its round, or a spot is due. */
  | { kind: 'handOver'; rotation: Rotation }
  /** A spot has ended, no other one is due, and there is no fill. */
  | { kind: 'rest' }
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

function orderFor(programme: Programme, region: Region, seed: number, before: Lane | undefined): number[] {
  const { length } = itemsOf(programme, region);
  if (programme.playMode !== 'shuffle') return Array.from({ length }, (_, index) => index);
  return shuffled(length, mix(seed ^ textSeed(region)), before?.order.at(-1));
}

/** The lanes of a programme at its beginning; undefined when it has nothing to show. */
function lanesOf(
  programme: Programme | undefined,
  seed: number,
  turn: number,
): Pick<Place, 'lanes' | 'lead'> | undefined {
  const lead = programme && leadOf(programme);
  if (!programme || !lead) return undefined;
  const laneSeed = mix(seed ^ turn);
  const lanes = Object.fromEntries(
    regionsOf(programme).map((region) => [
      region,
      { order: orderFor(programme, region, laneSeed, undefined), at: 0, round: 0 } satisfies Lane,
    ]),
  );
  return { lanes, lead };
}

/** What a rotation goes through, wherever it is. */
type Course = Pick<Rotation, 'programmes' | 'paced' | 'seed' | 'turn'>;

/** The same course, another turn. */
const courseOf = ({ programmes, paced, seed, turn }: Rotation): Course => ({ programmes, paced, seed, turn: turn + 1 });

function begin(course: Course, current: number): Rotation | undefined {
  const laid = lanesOf(course.programmes[current], course.seed, course.turn);
  return laid && { ...course, current, ...laid };
}

function beginSpot(course: Course, programme: Paced, resume: Place | undefined): Rotation | undefined {
  const laid = lanesOf(programme, course.seed, course.turn);
  return laid && { ...course, current: resume?.current ?? 0, ...laid, spot: { programme, resume } };
}

const placeOf = ({ current, lanes, lead }: Place): Place => ({ current, lanes, lead });

const playable = <P extends Programme>(programmes: readonly P[]): P[] =>
  programmes.filter((programme) => leadOf(programme) !== undefined);

/** A rotation from its first programme on, without spots; undefined when no programme has anything to show. */
export const startRotation = (programmes: readonly Programme[], seed: number): Rotation | undefined =>
  begin({ programmes: playable(programmes), paced: [], seed, turn: 0 }, 0);

/** Names the spot that follows the item that the leading region is at, or none. */
export const cueSpot = (rotation: Rotation, spot: Paced | undefined): Rotation => ({ ...rotation, cue: spot });

export const programmeOf = ({ spot, programmes, current }: Rotation): Programme | undefined =>
  spot?.programme ?? programmes[current];

/** The item a region is at. */
export function currentItem(rotation: Rotation, region: Region): ProgrammeItem | undefined {
  const programme = programmeOf(rotation);
  const lane = rotation.lanes[region];
  const index = lane?.order[lane.at];
  return programme && index !== undefined ? itemsOf(programme, region)[index] : undefined;
}

/** The programme after the current one, from its beginning; after a spot the fill, from where it was. */
export function nextProgramme(rotation: Rotation): Rotation | undefined {
  const { spot, current, programmes } = rotation;
  const course = courseOf(rotation);
  if (!spot) return begin(course, (current + 1) % programmes.length);
  return spot.resume && { ...course, ...spot.resume };
}

/** Whether the item that a region is at is the last one of its round. */
export function isLastOfRound(rotation: Rotation, region: Region): boolean {
  const lane = rotation.lanes[region];
  return lane !== undefined && lane.at + 1 >= lane.order.length;
}

function endOfSpot(rotation: Rotation, resume: Place | undefined): Step {
  const next = rotation.cue ? beginSpot(courseOf(rotation), rotation.cue, resume) : nextProgramme(rotation);
  return next ? { kind: 'handOver', rotation: next } : { kind: 'rest' };
}

function endOfRound(rotation: Rotation, programme: Programme, hasPlayed: boolean): Step | undefined {
  if (rotation.spot) return endOfSpot(rotation, rotation.spot.resume);
  if (programme.playMode === 'once' && hasPlayed) return { kind: 'finished', releaseId: programme.releaseId };
  if (rotation.programmes.length < 2) return undefined;
  const next = nextProgramme(rotation);
  return next && { kind: 'handOver', rotation: next };
}

/** The cued spot comes between two items of the fill, which resumes with the second one. */
function beforeSpot(rotation: Rotation, step: Step): Step {
  if (!rotation.cue || rotation.spot || (step.kind !== 'item' && step.kind !== 'handOver')) return step;
  const spot = beginSpot(courseOf(rotation), rotation.cue, placeOf(step.rotation));
  return spot ? { kind: 'handOver', rotation: spot } : step;
}

/**
 * The next state when a region's item has ended (or could not be shown).
 *
 * A region repeats its playlist while its programme is on screen. The programme stays for one round of its leading
 * region, the one with the longest round; then the next programme takes the whole screen, so that no region stays dark. A
 * single programme continues without a break; one that plays once ends after this round, unless no item of its leading
 * region has played (`hasPlayed`). A spot stays for one round too, and begins between any two items of the fill's leading
 * region.
 */
export function nextStep(rotation: Rotation, region: Region, hasPlayed = true): Step | undefined {
  const step = stepOf(rotation, region, hasPlayed);
  return step && region === rotation.lead ? beforeSpot(rotation, step) : step;
}

function stepOf(rotation: Rotation, region: Region, hasPlayed: boolean): Step | undefined {
  const programme = programmeOf(rotation);
  const lane = rotation.lanes[region];
  if (!programme || !lane) return undefined;
  const roundOver = isLastOfRound(rotation, region);
  const end = roundOver && region === rotation.lead ? endOfRound(rotation, programme, hasPlayed) : undefined;
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

/** Everything that a programme shows, without when. */
const showOf = (programme: Programme): string =>
  JSON.stringify({ ...programme, schedule: null, endsAt: null, priority: null, pace: null });
const sameShow = (a: Programme, b: Programme): boolean => showOf(a) === showOf(b);

const indexIn = (list: readonly Programme[], wanted: Programme | undefined): number =>
  wanted ? list.findIndex((programme) => sameShow(programme, wanted)) : -1;

/** Position at which a changed list resumes: the item that was next, or the first. */
function successor(rotation: Rotation | undefined, list: readonly Programme[]): number {
  if (!rotation) return 0;
  const { programmes, current } = rotation;
  const coming = [...programmes.slice(current + 1), ...programmes.slice(0, current)];
  const found = coming.map((old) => indexIn(list, old)).find((at) => at >= 0);
  return found ?? 0;
}

/** Where the fill of a changed list is: the item it was at or is to resume with, or the beginning of what follows. */
function fillAt(rotation: Rotation | undefined, course: Course): Place | undefined {
  const place = rotation?.spot ? rotation.spot.resume : rotation;
  const current = place && rotation ? indexIn(course.programmes, rotation.programmes[place.current]) : -1;
  if (place && current >= 0) return { ...placeOf(place), current };
  const fresh = begin(course, successor(rotation, course.programmes));
  return fresh && placeOf(fresh);
}

/**
 * Takes over a new list of programmes without interrupting the one on screen when it is still part of it. `due` is the
 * spot that plays if something has to begin now.
 */
export function reschedule(
  rotation: Rotation | undefined,
  programmes: readonly Programme[],
  seed: number,
  due?: Paced,
): Rescheduled {
  const fill = playable(programmes.filter((programme) => !isPaced(programme)));
  const paced = playable(programmes.filter(isPaced));
  const course: Course = { programmes: fill, paced, seed: rotation?.seed ?? seed, turn: (rotation?.turn ?? -1) + 1 };
  const place = fillAt(rotation, course);
  const shown = rotation?.spot;
  const same = shown && paced[indexIn(paced, shown.programme)];
  if (rotation && same) {
    const { lanes, lead, turn } = rotation;
    const spot = { programme: same, resume: place };
    return { kind: 'goOn', rotation: { ...course, turn, lanes, lead, current: place?.current ?? 0, spot } };
  }
  if (rotation && !shown && place && indexIn(fill, programmeOf(rotation)) >= 0) {
    return { kind: 'goOn', rotation: { ...course, turn: rotation.turn, ...place } };
  }
  const fresh = due ? beginSpot(course, due, place) : place && { ...course, ...place };
  return fresh ? { kind: 'begin', rotation: fresh } : { kind: 'nothing' };
}
