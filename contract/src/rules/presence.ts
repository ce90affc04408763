import type { Span } from './working-time.ts';

/** A device came (online) or went, at an instant in milliseconds since 1970. */
export interface PresenceChange {
  at: number;
  online: boolean;
}

/** `dark`: outside the working hours, where being offline is no failure. */
export type PresenceState = 'online' | 'offline' | 'unknown' | 'dark';

/** A stretch of time in which nothing changed; `from` included, `to` not. */
export interface Stretch {
  from: number;
  to: number;
  state: PresenceState;
}

/**
 * Divides the time from `from` to `to` into contiguous periods that differ from their neighbours. `changes` are in order;
 * the last one at or before `from` determines the first state, which is unknown before the very first change.
 */
export function presenceStretches(changes: readonly PresenceChange[], from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  let state: PresenceState = 'unknown';
  let start = from;
  const close = (end: number): void => {
    if (end <= start) return;
    const last = stretches.at(-1);
    // A change without duration.
    if (last?.state === state) last.to = end;
    else stretches.push({ from: start, to: end, state });
    start = end;
  };
  for (const { at, online } of changes) {
    const next = online ? 'online' : 'offline';
    if (next === state) continue;
    close(Math.min(at, to));
    state = next;
  }
  close(to);
  return stretches;
}

/** The part of the known time in which a device was online, 0 to 1; null when nothing is known. */
export function uptimeOf(stretches: readonly Stretch[]): number | null {
  const lengthOf = (state: PresenceState): number =>
    stretches.filter((each) => each.state === state).reduce((sum, { from, to }) => sum + to - from, 0);
  const online = lengthOf('online');
  const known = online + lengthOf('offline');
  return known === 0 ? null : online / known;
}

/** The part of stretches that lies between two instants. */
export const stretchesWithin = (stretches: readonly Stretch[], from: number, to: number): Stretch[] =>
  stretches
    .map((each) => ({ ...each, from: Math.max(each.from, from), to: Math.min(each.to, to) }))
    .filter((each) => each.to > each.from);

/**
 * Marks the known time outside `spans` as dark. Stretches are in order and contiguous; spans are in order and do not
 * overlap.
 */
export function darkOutside(stretches: readonly Stretch[], spans: readonly Span[]): Stretch[] {
  const marked: Stretch[] = [];
  const add = (from: number, to: number, state: PresenceState): void => {
    if (to <= from) return;
    const last = marked.at(-1);
    if (last?.state === state) last.to = to;
    else marked.push({ from, to, state });
  };
  for (const { from, to, state } of stretches) {
    let at = from;
    for (const span of state === 'unknown' ? [{ from, to }] : spans) {
      const [start, end] = [Math.max(span.from, at), Math.min(span.to, to)];
      if (end <= start) continue;
      add(at, start, 'dark');
      add(start, end, state);
      at = end;
    }
    add(at, to, 'dark');
  }
  return marked;
}
