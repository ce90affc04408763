import { GivenTime, type Page, type PageQuery, type Sorting } from '@ams/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalidField } from '../http/errors.ts';
import { findUnstorable } from './unstorable.ts';

/** Most lists are in the order of a time and, within one microsecond, of ids. */
const ByTime = z.tuple([GivenTime, z.uuid()]);

/** Keyset position: the sort value and the id of the last row of a page, after the sort when that was chosen. */
export type Keyset = [string, string] | [string, string, string];

/** A time as the sort value of a keyset: ISO 8601 with all its microseconds. */
export const timeKey = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char((${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const encodeCursor = (keyset: Keyset): string => Buffer.from(JSON.stringify(keyset)).toString('base64url');

/** The position in a cursor; a cursor that was not made here is bad input. */
export function decodeCursor(cursor: string | undefined): [string, string] | undefined;
export function decodeCursor<K extends Keyset>(cursor: string | undefined, shape: z.ZodType<K>): K | undefined;
export function decodeCursor(cursor: string | undefined, shape: z.ZodType<Keyset> = ByTime): Keyset | undefined {
  if (cursor === undefined) return undefined;
  const keyset = shape.safeParse(contentOf(cursor));
  if (!keyset.success || findUnstorable(keyset.data) !== undefined) throw invalidField('cursor', 'invalid');
  return keyset.data;
}

/** What a cursor holds, or undefined when it is no JSON. */
function contentOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Makes a page of `limit` from up to `limit + 1` rows: the extra row only shows that more follow. */
export function toPage<T>(rows: T[], query: Pick<PageQuery, 'limit'>, keyset: (row: T) => Keyset): Page<T> {
  const items = rows.slice(0, query.limit);
  const last = items.at(-1);
  return { items, next: rows.length > query.limit && last ? encodeCursor(keyset(last)) : null };
}

/** The rows of a page and one more, which shows whether another page follows, with their sort values. */
export const newestRows = <DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  limit: number,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
) =>
  list
    .select(timeKey(time).as('sortKey'))
    .$castTo<O & { sortKey: string }>()
    .orderBy(time, 'desc')
    .orderBy(id, 'desc')
    .limit(sql.lit(limit + 1));

/** The condition of rows that come after the last one of a page. */
export const olderThan = (
  last: readonly [string, string] | undefined,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  last ? sql<boolean>`(${time}, ${id}) < (${last[0]}::timestamptz, ${last[1]}::uuid)` : sql<boolean>`true`;

/**
 * One page of a list, newest first by `time` and, within one microsecond, by `id` (columns of the query),
 * with the total of the whole list when it was asked for.
 */
export async function newestFirst<DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PageQuery,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): Promise<Page<O>> {
  const after = olderThan(decodeCursor(query.cursor), time, id);
  return toNewestPage(list, query, await newestRows(list.where(after), query.limit, time, id).execute());
}

/** The page of the rows that `newestRows` found of this list. */
export async function toNewestPage<DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PageQuery,
  rows: (O & { sortKey: string })[],
): Promise<Page<O>> {
  const page = toPage(rows, query, (row) => [row.sortKey, row.id]);
  return withTotal(page, query, list);
}

/** A page of a list, with the total of the whole list when it was asked for. */
export async function withTotal<DB, TB extends keyof DB, O, T>(
  page: Page<T>,
  { total }: Pick<PageQuery, 'total'>,
  list: SelectQueryBuilder<DB, TB, O>,
): Promise<Page<T>> {
  return total ? { ...page, total: await countRows(list) } : page;
}

async function countRows<DB, TB extends keyof DB, O>(list: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const { total } = await list
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}

const ByMac = z.tuple([z.string().max(20), z.uuid()]);

/** One page of a list of devices `d`, by MAC, with the total of the whole list when it was asked for. */
export async function byMac<DB, TB extends keyof DB, O extends { id: string; mac: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PageQuery,
): Promise<Page<O>> {
  const last = decodeCursor(query.cursor, ByMac);
  const after = last ? sql<boolean>`(d.mac, d.id) > (${last[0]}, ${last[1]}::uuid)` : sql<boolean>`true`;
  const rows = await list
    .where(after)
    .orderBy(sql`d.mac`)
    .orderBy(sql`d.id`)
    .limit(query.limit + 1)
    .$castTo<O>()
    .execute();
  const page = toPage(rows, query, (row) => [row.mac, row.id]);
  return withTotal(page, query, list);
}

/** How values of a type are compared and kept in a cursor; `column` is never null. */
interface SortType {
  /** What is compared, of a column or of a value from a cursor. */
  compared: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The value as a cursor keeps it. */
  key: (column: RawBuilder<unknown>) => RawBuilder<string>;
  /** The values of a cursor. */
  shape: z.ZodType<string>;
}

const SORT_TYPES = {
  /** A name as people sort them; the index has the same expression. */
  name: {
    compared: (value) => sql`(natural_key(${value}) collate "C")`,
    key: (column) => sql<string>`${column}`,
    shape: z.string(),
  },
  /** Letters and digits of ASCII in one case. */
  word: {
    compared: (value) => value,
    key: (column) => sql<string>`${column}`,
    shape: z.string().regex(/^[0-9a-z:]*$/),
  },
  time: {
    compared: (value) => sql`(${value})::timestamptz`,
    key: (column) => sql<string>`case when isfinite(${column}) then ${timeKey(column)} else (${column})::text end`,
    shape: z.union([GivenTime, z.enum(['infinity', '-infinity'])]),
  },
  number: {
    compared: (value) => sql`(${value})::bigint`,
    key: (column) => sql<string>`(${column})::text`,
    shape: z.string().regex(/^\d{1,15}$/),
  },
} satisfies Record<string, SortType>;

/** The sort key of a list: an expression of the query that is never null, whose index ends in the id. */
export interface SortColumn {
  column: RawBuilder<unknown>;
  type: keyof typeof SORT_TYPES;
}

/** How a list is ordered. */
export interface Order {
  sorting: Sorting<string>;
  column: SortColumn;
  id: RawBuilder<unknown>;
}

const tagOf = ({ key, descending }: Sorting<string>): string => (descending ? `-${key}` : key);

/** The value and the id of the last row of the page before. A cursor of another order is bad input. */
export function sortedAfter(query: PageQuery, { sorting, column }: Order): [string, string] | undefined {
  const shape = z.tuple([z.literal(tagOf(sorting)), SORT_TYPES[column.type].shape, z.uuid()]);
  const last = decodeCursor(query.cursor, shape);
  return last && [last[1], last[2]];
}

/** The rows of a page in a chosen order and, among equal values, in that of the id, and one more, with their sort values. */
export function sortedRows<DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  { sorting: { descending }, column: { column, type }, id }: Order,
  { last, limit }: { last: readonly [string, string] | undefined; limit: number },
) {
  const { compared, key } = SORT_TYPES[type];
  const value = compared(column);
  const direction = descending ? 'desc' : 'asc';
  return list
    .$if(last !== undefined, (all) => all.where(isAfter(value, id, compared(sql`${last?.[0]}`), last?.[1], descending)))
    .select(key(column).as('sortKey'))
    .$castTo<O & { sortKey: string }>()
    .orderBy(value, direction)
    .orderBy(id, direction)
    .limit(sql.lit(limit + 1));
}

/** The page of the rows that `sortedRows` found of this list, with the total when it was asked for. */
export async function toSortedPage<DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PageQuery,
  { sorting }: Order,
  rows: (O & { sortKey: string })[],
): Promise<Page<O>> {
  const page = toPage(rows, query, (row) => [tagOf(sorting), row.sortKey, row.id]);
  return withTotal(page, query, list);
}

/** One page of a list in a chosen order and, among equal values, in that of `id`, with the total when it was asked for. */
export async function sorted<DB, TB extends keyof DB, O extends { id: string }>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PageQuery,
  sorting: Sorting<string>,
  column: SortColumn,
  id: RawBuilder<unknown>,
): Promise<Page<O>> {
  const order = { sorting, column, id };
  const last = sortedAfter(query, order);
  return toSortedPage(list, query, order, await sortedRows(list, order, { last, limit: query.limit }).execute());
}

/** For an index on the value without the id, the first condition alone is equivalent. */
function isAfter(
  value: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  last: RawBuilder<unknown>,
  lastId: string | undefined,
  descending: boolean,
): RawBuilder<boolean> {
  return descending
    ? sql<boolean>`(${value} <= ${last} and (${value}, ${id}) < (${last}, ${lastId}::uuid))`
    : sql<boolean>`(${value} >= ${last} and (${value}, ${id}) > (${last}, ${lastId}::uuid))`;
}
