import type { PlayMode } from '@ams/contract';

/** Place of an item in a region's playlist; `key` grows with every turn, so that each has its own element. */
interface Turn {
  key: number;
  index: number;
}

/** What a region shows now and what it makes ready meanwhile; `next` is absent after the last item played once. */
export interface Turns {
  now: Turn;
  next: Turn | undefined;
}

/** `random` gives numbers from 0 up to, not including, 1. A shuffled item never follows itself. */
function indexAfter(mode: PlayMode, count: number, index: number, random: () => number): number | undefined {
  if (mode === 'once') return index + 1 < count ? index + 1 : undefined;
  if (mode === 'sequence' || count < 2) return (index + 1) % count;
  const other = Math.floor(random() * (count - 1));
  return other >= index ? other + 1 : other;
}

function follow(mode: PlayMode, count: number, now: Turn, random: () => number): Turns {
  const index = indexAfter(mode, count, now.index, random);
  return { now, next: index === undefined ? undefined : { key: now.key + 1, index } };
}

/** The beginning of a playlist of `count` items, at least one. */
export const firstTurn = (mode: PlayMode, count: number, random: () => number): Turns =>
  follow(mode, count, { key: 0, index: 0 }, random);

/** The turn after this one; the same when there is none. */
export const nextTurn = (mode: PlayMode, count: number, turns: Turns, random: () => number): Turns =>
  turns.next ? follow(mode, count, turns.next, random) : turns;
