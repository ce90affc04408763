import { GivenTime, type Page, type PageQuery } from '@ams/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalidField } from '../http/errors.ts';

/** Most lists are in the order of a time and, within one microsecond, of ids. */
const ByTime = z.tuple([GivenTime, z.uuid()]);

/** Keyset position: the sort value and the id of the last row of a page. */
export type Keyset = [string, string];

/** A time as the sort value of a keyset: ISO 8601 with all its microseconds. */
export const timeKey = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const encodeCursor = (keyset: Keyset): string => Buffer.from(JSON.stringify(keyset)).toString('base64url');

/** The position in a cursor; a cursor that was not made here is bad input. */
export function decodeCursor(cursor: string | undefined, shape: z.ZodType<Keyset> = ByTime): Keyset | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidField('cursor', 'invalid');
  }
}

/** Makes a page of `limit` from up to `limit + 1` rows: the extra row only tells that more follow. */
export function toPage<T>(rows: T[], query: Pick<PageQuery, 'limit'>, keyset: (row: T) => Keyset): Page<T> {
  const items = rows.slice(0, query.limit);
  const last = items.at(-1);
  return { items, next: rows.length > query.limit && last ? encodeCursor(keyset(last)) : null };
}

/**
 * One page of a list, newest first by `time` and, within one microsecond, by `id` (columns of the query),
 * with the total of the whole list when it was asked for. `onPage` may say in another way which rows are the first
 * `limit` of those that are `after` the page before.
 */
export async function newestFirst<DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PageQuery,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  onPage: (after: RawBuilder<boolean>, limit: number) => RawBuilder<boolean> = (after) => after,
): Promise<Page<O>> {
  const last = decodeCursor(query.cursor);
  const after = last
    ? sql<boolean>`(${time}, ${id}) < (${last[0]}::timestamptz, ${last[1]}::uuid)`
    : sql<boolean>`true`;
  // One more than the page holds tells whether another follows.
  const limit = query.limit + 1;
  const rows = await list
    .where(onPage(after, limit))
    .select(timeKey(time).as('sortKey'))
    .$castTo<O & { sortKey: string }>()
    .orderBy(time, 'desc')
    .orderBy(id, 'desc')
    .limit(sql.lit(limit))
    .execute();
  const page = toPage(rows, query, (row) => [row.sortKey, row.id]);
  if (!query.total) return page;
  const { total } = await list
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return { ...page, total };
}
