import type { ProofChain, ProofHead, ProofTail, ProofUncounted } from '../proof.ts';
import { canonicalJson } from './chain.ts';
import type { DayPlays } from './charges.ts';
import { checkAmount, type CheckedAmount } from './proof-amount.ts';
import { PlayTally, type ReadBatch, roundedSum, type Sum, wholePlays } from './proof-tally.ts';

/**
 * The faults of a verification file. `form`: unreadable; `digest`: names or sums were changed; `signature`: not signed
 * by the key; `device`: signed for another device; `order`: a batch is repeated or moved; `link`: a batch does not follow
 * the one before; `missing`: batches were left out; `repeated`: plays are counted twice; `totals`: sums do not fit; `amount`: the amount
 * does not follow from the plays and the price.
 */
export type ProofFaultKind =
  | 'form'
  | 'digest'
  | 'signature'
  | 'device'
  | 'order'
  | 'link'
  | 'missing'
  | 'repeated'
  | 'totals'
  | 'amount';

/** `device` is its name or MAC; `seq` the number of the batch. Null: it concerns the file as a whole. */
export interface ProofFault {
  kind: ProofFaultKind;
  device: string | null;
  seq: number | null;
}

/** A batch with what the signature and the hash say, which are checked where the bytes are. */
export interface CheckedBatch {
  key: number;
  uncounted: readonly ProofUncounted[];
  isSigned: boolean;
  hash: string;
  /** Undefined: what was signed is no batch. */
  batch: ReadBatch | undefined;
}

/** Plays counted by the statement and those that signed batches prove; batches that never came. */
export interface ProofResult {
  faults: ProofFault[];
  counted: number;
  proven: number;
  provenMs: number;
  batches: number;
  missing: number;
  /** Null: the campaign was never booked. */
  amount: CheckedAmount | null;
}

/** Sums of devices are rounded. */
const ROUNDING = 1e-5;

type Range = readonly [first: number, last: number];

interface Walked {
  batches: number;
  last: number;
  lastHash: string;
  /** Numbers that are not in the file. */
  holes: Range[];
  /** Batches whose link to the one before does not fit. */
  broken: number[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const equal = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** Ranges in order, those that touch each other as one. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) result.splice(-1, 1, [before[0], Math.max(before[1], last)]);
    else result.push([first, last]);
  }
  return result;
}

/** What `ProofTail.digest` is the SHA-256 of. */
export const digestedText = (
  head: ProofHead,
  { digest: _digest, ...tail }: Omit<ProofTail, 'digest'> & { digest?: string },
  uncounted: readonly (readonly [key: number, seq: number, list: readonly ProofUncounted[]])[],
): string => canonicalJson({ ...head, ...tail, uncounted });

/** Checks a verification file batch by batch, in its order. Pure: bytes are verified and hashed by the caller. */
export class ProofCheck {
  readonly #head: ProofHead;
  readonly #tally: PlayTally;
  readonly #walked = new Map<number, Walked>();
  readonly #uncounted: [number, number, readonly ProofUncounted[]][] = [];
  readonly #faults: ProofFault[] = [];
  #batches = 0;
  #lastKey = 0;

  constructor(head: ProofHead) {
    this.#head = head;
    this.#tally = new PlayTally(head);
  }

  #fault(kind: ProofFaultKind, key: number | null, seq: number | null = null): void {
    const device = key === null ? undefined : this.#head.keys[key]?.device;
    this.#faults.push({ kind, device: device ? device.name || device.mac : null, seq });
  }

  /** A line that cannot be read. */
  unreadable(): void {
    this.#fault('form', null);
  }

  add({ key, uncounted, isSigned, hash, batch }: CheckedBatch): void {
    this.#batches += 1;
    const device = this.#head.keys[key]?.device;
    if (!isSigned) this.#fault('signature', key, batch?.seq ?? null);
    if (!batch || !device) return this.#fault('form', key);
    if (batch.device !== device.id && batch.device !== device.mac) this.#fault('device', key, batch.seq);
    if (uncounted.length > 0) this.#uncounted.push([key, batch.seq, uncounted]);
    // Chains follow each other in the order of their keys.
    if (key < this.#lastKey) this.#fault('order', key, batch.seq);
    this.#lastKey = key;
    this.#follow(key, batch, hash);
    if (this.#tally.add(device.id, batch, uncounted) > 0) this.#fault('repeated', key, batch.seq);
  }

  #follow(key: number, { seq, previous }: ReadBatch, hash: string): void {
    const before = this.#walked.get(key);
    if (!before) {
      this.#walked.set(key, { batches: 1, last: seq, lastHash: hash, holes: [], broken: [] });
      return;
    }
    const isFork = seq === before.last && hash !== before.lastHash;
    if (seq <= before.last && !isFork) this.#fault('order', key, seq);
    else if (isFork || (seq === before.last + 1 && previous !== before.lastHash)) before.broken.push(seq);
    else if (seq > before.last + 1) before.holes.push([before.last + 1, seq - 1]);
    before.batches += 1;
    before.last = seq;
    before.lastHash = hash;
  }

  /** The chain of a key against what the file says about it. */
  #compare(walked: Walked, { key, batches, last, lastHash, without, missing, broken }: ProofChain): void {
    const declared = new Set(broken);
    for (const seq of walked.broken) if (!declared.has(seq)) this.#fault('link', key, seq);
    const isWhole =
      walked.batches === batches &&
      walked.last === last &&
      walked.lastHash === lastHash &&
      equal(walked.holes, joined([...without, ...missing]));
    if (!isWhole) this.#fault('missing', key, walked.last);
  }

  /** What `ProofTail.digest` has to be the SHA-256 of. */
  digestedText = (tail: Omit<ProofTail, 'digest'> & { digest?: string }): string =>
    digestedText(this.#head, tail, this.#uncounted);

  /** The chains as they are in the file; `missingOf`: ranges of a chain that never came, and broken links. */
  chains(gapsOf: (key: number) => readonly Range[]): ProofChain[] {
    return [...this.#walked].map(([key, { batches, last, lastHash, holes, broken }]) => {
      const gaps = gapsOf(key).filter(([first, end]) => first <= end);
      const missing = holes.flatMap(([from, to]) =>
        gaps.flatMap(([first, end]): [number, number][] =>
          first <= to && end >= from ? [[Math.max(first, from), Math.min(end, to)]] : [],
        ),
      );
      return { key, batches, last, lastHash, without: outside(holes, missing), missing, broken };
    });
  }

  /** Plays that the batches so far prove, by device. */
  proven(deviceId: string): Sum {
    return roundedSum(this.#tally.sums.get(deviceId) ?? { plays: 0, durationMs: 0 });
  }

  /** The same by day of the devices' clocks. */
  provenDays = (): DayPlays[] => this.#tally.days();

  /** The verdict. `digest`: SHA-256 of `digestedText`. */
  end(tail: ProofTail, digest: string): ProofResult {
    if (digest !== tail.digest) this.#fault('digest', null);
    const chains = new Map(tail.chains.map((chain) => [chain.key, chain]));
    for (const [key, walked] of this.#walked) {
      const chain = chains.get(key);
      if (chain) this.#compare(walked, chain);
      else this.#fault('missing', key);
    }
    for (const { key } of tail.chains) if (!this.#walked.has(key)) this.#fault('missing', key);
    this.#compareSums(tail);
    return this.#resultOf(tail);
  }

  #compareSums({ devices, statement }: ProofTail): void {
    for (const { id, name, counted, proven } of devices) {
      const isRight = equal(this.proven(id), proven) && proven.plays <= counted.plays + ROUNDING;
      if (!isRight) this.#faults.push({ kind: 'totals', device: name, seq: null });
    }
    const named = new Set(devices.map(({ id }) => id));
    for (const [id, { plays }] of this.#tally.sums) if (!named.has(id) && plays > 0) this.#fault('totals', null);
    if (!statement) return;
    const plays = sum(statement.days.map((each) => each.plays));
    if (plays !== wholePlays(sum(devices.map(({ counted }) => counted.plays)))) this.#fault('totals', null);
    const days = new Set(statement.days.map(({ day }) => day));
    if (days.size !== statement.days.length) this.#fault('totals', null);
  }

  #amountOf({ statement }: ProofTail): CheckedAmount | null {
    if (!statement) return null;
    const { amount, isRight } = checkAmount(this.#head, statement, this.provenDays());
    if (!isRight) this.#fault('amount', null);
    return amount;
  }

  #resultOf(tail: ProofTail): ProofResult {
    const { devices, chains } = tail;
    const amount = this.#amountOf(tail);
    return {
      faults: this.#faults,
      counted: wholePlays(sum(devices.map(({ counted }) => counted.plays))),
      proven: wholePlays(sum(devices.map(({ id }) => this.proven(id).plays))),
      provenMs: sum(devices.map(({ id }) => this.proven(id).durationMs)),
      batches: this.#batches,
      missing: sum(chains.flatMap(({ missing }) => missing.map(([first, last]) => last - first + 1))),
      amount,
    };
  }
}

/** What of some ranges is in none of others, which lie within them in order. */
function outside(ranges: readonly Range[], others: readonly Range[]): [number, number][] {
  return ranges.flatMap(([first, last]) => {
    const left: [number, number][] = [];
    let from = first;
    for (const [start, end] of others) {
      if (start < first || end > last) continue;
      if (start > from) left.push([from, start - 1]);
      from = end + 1;
    }
    if (from <= last) left.push([from, last]);
    return left;
  });
}
