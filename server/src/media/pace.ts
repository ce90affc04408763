const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Time that a conversion may take in the short lane. */
export const SHORT_MS = MINUTE_MS;
/** Time after which a long conversion yields to another owner; quadrupled with each restart. */
export const FIRST_QUANTUM_MS = 15 * MINUTE_MS;
export const QUANTUM_GROWTH = 4;
/** Without any progress for so long it is given up. */
export const STALLED_MS = 5 * MINUTE_MS;
/** More than that no conversion takes. */
export const LONGEST_MS = 6 * HOUR_MS;
/** Shorter measurements do not predict the rest. */
const MEASURED_MS = 10 * SECOND_MS;

/** How far a conversion has come. */
export interface Measured {
  /** Since it began. */
  elapsedMs: number;
  /** Since it last got on. */
  stalledMs: number;
  /** Progress, 0 to 1, relative to the declared duration. */
  share: number;
}

/** Limits of a conversion in addition to the general ones. */
export type Bounds =
  /** Among the short ones. */
  | { lane: 'short' }
  /** Among the long ones, where another owner may be waiting. */
  | { lane: 'long'; quantumMs: number };

/** `makeRoom`: it is restarted later, and others come first. */
export type Verdict = 'goOn' | 'makeRoom' | 'tooSlow';

/** How long all of it will take, by what is measured; undefined when too little is. */
export const projectedMs = ({ elapsedMs, share }: Measured): number | undefined =>
  elapsedMs >= MEASURED_MS && share > 0 ? elapsedMs / share : undefined;

/**
 * Whether a conversion may continue, by its measured progress; what a file declares of itself only adds to its burden.
 * @param othersWait whether another owner's conversion could begin in its place
 */
export function judge(measured: Measured, bounds: Bounds, othersWait: boolean): Verdict {
  const { elapsedMs, stalledMs } = measured;
  const projected = projectedMs(measured) ?? 0;
  if (stalledMs > STALLED_MS || elapsedMs > LONGEST_MS) return 'tooSlow';
  if (bounds.lane === 'short') return Math.max(elapsedMs, projected) > SHORT_MS ? 'makeRoom' : 'goOn';
  if (elapsedMs > MINUTE_MS && projected > LONGEST_MS) return 'tooSlow';
  return othersWait && elapsedMs > bounds.quantumMs ? 'makeRoom' : 'goOn';
}

const FULL_HD_PIXELS = 1920 * 1080;

/** Seconds that a conversion may take, before anything is measured: about as long as the film in full HD. */
export const estimateSeconds = (facts: { durationMs: number; width: number; height: number }): number =>
  (facts.durationMs / 1000) * Math.max(0.1, (facts.width * facts.height) / FULL_HD_PIXELS);
