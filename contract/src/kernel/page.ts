import { z } from 'zod';

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;
/** A cursor may hold the longest name that lists are sorted by. */
const CURSOR_MAX = 1000;

/** A query-string switch: `true` or `false`, nothing else. */
export const QueryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Keyset page request, shared by every list. `cursor` is opaque: it comes from `next`. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  cursor: z.string().max(CURSOR_MAX).optional(),
  total: QueryFlag.optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

/**
 * The `sort` of a list: one of its keys, ascending, or with a leading minus descending. A cursor belongs to the sort that
 * made it.
 */
export const sortOf = <const K extends string>(keys: readonly K[]) =>
  z.enum(keys.flatMap((key): (K | `-${K}`)[] => [key, `-${key}`]));

export interface Sorting<K extends string> {
  key: K;
  descending: boolean;
}

/** Parses a `sort`; undefined if it is none of these keys. */
export function sortingOf<K extends string>(keys: readonly K[], sort: string | undefined): Sorting<K> | undefined {
  const key = keys.find((each) => sort === each || sort === `-${each}`);
  return key && { key, descending: sort !== key };
}

/** One page: `next` is null at the end; `total` is there when it was asked for. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable(), total: z.number().int().optional() });

export interface Page<T> {
  items: T[];
  next: string | null;
  total?: number | undefined;
}

/** Result of a call over many things: how many went well, and which did not and why. */
export const BatchResult = z.object({
  done: z.number().int(),
  /** `details` fill the message of `error`, as they do in a failure's envelope. */
  failed: z.array(
    z.object({ id: z.string(), error: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  ),
});
export type BatchResult = z.output<typeof BatchResult>;
