import { z } from 'zod';

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAX = 100;

/** A query-string switch: `true` or `false`, nothing else. */
export const QueryFlag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Keyset page request, shared by every list. `cursor` is opaque: it comes from `next`. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  cursor: z.string().max(500).optional(),
  total: QueryFlag.optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

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
