import type { ProofHead, ProofUncounted } from '../proof.ts';
import type { DayPlays } from './charges.ts';
import { DayClock, InstantReader } from './instants.ts';
import { isKnownZone } from './zone-names.ts';

/** A play as it is in a signed batch. */
export interface SignedPlay {
  releaseId: string;
  sha256: string;
  at: string;
  durationMs: number;
  screen?: string | undefined;
}

/** What was signed, read back. */
export interface ReadBatch {
  device: string;
  seq: number;
  previous: string | null;
  plays: SignedPlay[];
}

export interface Sum {
  plays: number;
  durationMs: number;
}

const isPlay = (play: unknown): play is SignedPlay =>
  typeof play === 'object' &&
  play !== null &&
  'releaseId' in play &&
  typeof play.releaseId === 'string' &&
  'sha256' in play &&
  typeof play.sha256 === 'string' &&
  'at' in play &&
  typeof play.at === 'string' &&
  'durationMs' in play &&
  typeof play.durationMs === 'number';

/** The batch that a signed value is, undefined if it is none. By hand, because there may be millions of plays. */
export function readBatch(value: unknown): ReadBatch | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('device' in value && 'seq' in value && 'previous' in value && 'plays' in value)) return undefined;
  const { device, seq, previous, plays } = value;
  if (typeof device !== 'string' || typeof seq !== 'number' || !Array.isArray(plays)) return undefined;
  if (previous !== null && typeof previous !== 'string') return undefined;
  return plays.every(isPlay) ? { device, seq, previous, plays } : undefined;
}

interface Item {
  releaseId: string;
  sha256: string;
  screen: string;
  part: number;
  longestMs: number;
  /** When its plays began, by device: each is counted once. */
  begun: Map<string, number[]>;
}

/** Whether a play began at one of these instants, which mostly rise. */
const includes = (begun: readonly number[], at: number): boolean =>
  at <= (begun.at(-1) ?? -Infinity) && begun.includes(at);

const isOf = (item: Item, { releaseId, sha256, screen = 'main' }: SignedPlay): boolean =>
  item.releaseId === releaseId && item.sha256 === sha256 && item.screen === screen;

/** Finds the items that plays are of. Plays of one item mostly follow each other, or those of the next one. */
class Items {
  readonly #byRelease: ReadonlyMap<string, readonly Item[]>;
  #last: Item | undefined;

  constructor(items: readonly Item[]) {
    this.#byRelease = Map.groupBy(items, ({ releaseId }) => releaseId);
  }

  of(play: SignedPlay): Item | undefined {
    if (this.#last && isOf(this.#last, play)) return this.#last;
    const found = this.#byRelease.get(play.releaseId)?.find((item) => isOf(item, play));
    if (found) this.#last = found;
    return found;
  }
}

/** Days in a zone that is not known here are those of UTC. */
const clockOf = (timeZone: string): DayClock => new DayClock(isKnownZone(timeZone) ? timeZone : 'UTC');

/**
 * Adds up the plays of a campaign by device and by day, as the statement does: plays of its files count by their parts,
 * their time up to the length of the item.
 */
export class PlayTally {
  readonly #items: Items;
  readonly #clocks: ReadonlyMap<string, DayClock>;
  readonly #instants = new InstantReader();
  readonly sums = new Map<string, Sum>();
  readonly #days = new Map<string, number>();

  constructor({ items, keys }: Pick<ProofHead, 'items' | 'keys'>) {
    this.#items = new Items(
      items.map((item) => ({ ...item, longestMs: item.longestMs ?? Infinity, begun: new Map() })),
    );
    const zones = Map.groupBy(keys, ({ device }) => device.timeZone);
    this.#clocks = new Map(
      [...zones].flatMap(([timeZone, own]) => {
        const clock = clockOf(timeZone);
        return own.map(({ device }) => [device.id, clock] as const);
      }),
    );
  }

  /** Adds a batch of a device. Returns how many of its plays were counted before. */
  add(deviceId: string, { plays }: ReadBatch, uncounted: readonly ProofUncounted[]): number {
    const without = new Set(uncounted.map(([index]) => index));
    const sum = this.sums.get(deviceId) ?? { plays: 0, durationMs: 0 };
    this.sums.set(deviceId, sum);
    const fresh: { begun: number[]; at: number }[] = [];
    let repeated = 0;
    for (const [index, play] of plays.entries()) {
      const item = this.#items.of(play);
      if (!item || without.has(index)) continue;
      const begun = item.begun.get(deviceId) ?? [];
      item.begun.set(deviceId, begun);
      const at = this.#instants.read(play.at);
      if (includes(begun, at)) repeated += 1;
      fresh.push({ begun, at });
      sum.plays += item.part;
      sum.durationMs += Math.min(play.durationMs, item.longestMs);
      this.#note(deviceId, at, item.part);
    }
    // One file may begin in two regions at once: plays of a batch are not compared with each other.
    for (const { begun, at } of fresh) begun.push(at);
    return repeated;
  }

  #note(deviceId: string, at: number, part: number): void {
    const day = Number.isFinite(at) ? this.#clocks.get(deviceId)?.dayOf(at) : undefined;
    if (day !== undefined) this.#days.set(day, (this.#days.get(day) ?? 0) + part);
  }

  /** Whole plays by day of the devices' clocks: parts count on the day that completes them. */
  days(): DayPlays[] {
    let until = 0;
    return [...this.#days]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, parts]) => {
        const before = wholePlays(until);
        until += parts;
        return { day, plays: wholePlays(until) - before };
      });
  }
}

/** Digits behind the point of a device's sum: those of ten thousand devices add up to whole plays. */
export const PROOF_DIGITS = 11;
/** Sums of thirds are floats. The server completes plays with the same tolerance. */
const TOLERANCE = 1e-6;
const EXACT = 10 ** PROOF_DIGITS;

/** The whole plays that parts of plays make up. */
export const wholePlays = (parts: number): number => Math.floor(parts + TOLERANCE);

/** A sum of parts of plays of one device, as verification files have it. */
export const roundedSum = ({ plays, durationMs }: Sum): Sum => ({
  plays: Math.round(plays * EXACT) / EXACT,
  durationMs,
});
