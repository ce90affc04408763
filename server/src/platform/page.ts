import { type Page, type PageQuery } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalidField } from './errors.ts';

/** Most lists are in the order of a time and, within one microsecond, of ids. */
const ByTime = z.tuple([z.iso.datetime(), z.uuid()]);

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
