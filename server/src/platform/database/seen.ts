import { isDeepStrictEqual } from 'node:util';

/** A value as JSON stores it: without what is undefined. */
const stored = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/**
 * Whether a JSON value may be replaced by `next`: nobody has changed it since its reader saw it (`seen`; undefined: the
 * reader does not say), or it is `next` already, because an answer was lost.
 */
export const isAsSeen = (present: unknown, { seen, next }: { seen: unknown; next: unknown }): boolean =>
  seen === undefined || [seen, next].some((known) => isDeepStrictEqual(stored(known), stored(present)));
