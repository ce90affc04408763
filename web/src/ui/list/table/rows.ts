/** The row that the keyboard is on, and the row from which Shift selects. Rows are named by their ids. */
export interface Place {
  cursor: string | undefined;
  anchor: string | undefined;
}

/** Keys that move the cursor: to which of `count` rows, from row `at` (-1: none yet), `page` rows being in view. */
const MOVES: Partial<Record<string, (at: number, count: number, page: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _, page) => at + page,
  PageUp: (at, _, page) => at - page,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The row that a key leads to; undefined when it moves nothing. */
export function rowAfter(key: string, at: number, count: number, page: number): number | undefined {
  const move = MOVES[key];
  if (!move || count === 0) return undefined;
  return Math.max(0, Math.min(count - 1, move(at, count, page)));
}

/** The items from one to another, whichever comes first; only the second when the first is no longer listed. */
export function itemsBetween<T extends { id: string }>(items: readonly T[], from: string | undefined, to: number): T[] {
  const start = items.findIndex(({ id }) => id === from);
  if (start < 0) return items.slice(to, to + 1);
  return items.slice(Math.min(start, to), Math.max(start, to) + 1);
}
