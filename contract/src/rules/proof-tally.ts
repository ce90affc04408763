import type { ProofHead, ProofUncounted } from '../proof.ts';

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
  part: number;
  longestMs: number;
  /** When its plays began, by device: each is counted once. */
  begun: Map<string, number[]>;
}

const keyOf = (releaseId: string, sha256: string, screen: string): string => `${releaseId} ${sha256} ${screen}`;

/** Whether a play began at one of these instants, which mostly rise. */
const includes = (begun: readonly number[], at: number): boolean =>
  at <= (begun.at(-1) ?? -Infinity) && begun.includes(at);

/**
 * Adds up the plays of a campaign by device, as the statement does: plays of its files count by their parts, their time
 * up to the length of the item.
 */
export class PlayTally {
  readonly #items = new Map<string, Item>();
  readonly sums = new Map<string, Sum>();

  constructor({ items }: Pick<ProofHead, 'items'>) {
    for (const { releaseId, sha256, screen, part, longestMs } of items) {
      this.#items.set(keyOf(releaseId, sha256, screen), { part, longestMs: longestMs ?? Infinity, begun: new Map() });
    }
  }

  /** Adds a batch of a device. Returns how many of its plays were counted before. */
  add(deviceId: string, { plays }: ReadBatch, uncounted: readonly ProofUncounted[]): number {
    const without = new Set(uncounted.map(([index]) => index));
    const sum = this.sums.get(deviceId) ?? { plays: 0, durationMs: 0 };
    this.sums.set(deviceId, sum);
    const fresh: { begun: number[]; at: number }[] = [];
    let repeated = 0;
    for (const [index, play] of plays.entries()) {
      const item = this.#items.get(keyOf(play.releaseId, play.sha256, play.screen ?? 'main'));
      if (!item || without.has(index)) continue;
      const begun = item.begun.get(deviceId) ?? [];
      item.begun.set(deviceId, begun);
      const at = Date.parse(play.at);
      if (includes(begun, at)) repeated += 1;
      fresh.push({ begun, at });
      sum.plays += item.part;
      sum.durationMs += Math.min(play.durationMs, item.longestMs);
    }
    // One file may begin in two regions at once: plays of a batch are not compared with each other.
    for (const { begun, at } of fresh) begun.push(at);
    return repeated;
  }
}

/** A sum of parts as a number of plays. */
export const wholePlays = ({ plays, durationMs }: Sum): Sum => ({ plays: Math.round(plays), durationMs });
