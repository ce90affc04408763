import { type Page, type PageQuery } from '@ams/contract';
import { z } from 'zod';
import { invalidField } from './errors.ts';

const Cursor = z.tuple([z.string().max(100), z.string().max(100)]);

/** Keyset position: the sort value and the id of the last row of a page. */
export type Keyset = z.output<typeof Cursor>;

export const encodeCursor = (keyset: Keyset): string => Buffer.from(JSON.stringify(keyset)).toString('base64url');

/** The position in a cursor; a cursor that was not made here is bad input. */
export function decodeCursor(cursor: string | undefined): Keyset | undefined {
  if (cursor === undefined) return undefined;
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
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
