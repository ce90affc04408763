import { hash } from 'node:crypto';
import type { FILE_FAILURES } from '@ams/contract';
import type { Generated } from 'kysely';
import type { Db } from '../database/database.ts';

export type Failure = (typeof FILE_FAILURES)[number];

declare module '../database/database.ts' {
  interface Tables {
    /** Contents that are not parsed again, by any process. */
    unparsable_contents: { sha256: string; failure: Failure; found_at: Generated<Date> };
  }
}

/** Why a content is not parsed any more, or undefined when it may be. */
export async function findUnparsable(db: Db, sha256: string): Promise<Failure | undefined> {
  const row = await db
    .selectFrom('unparsable_contents')
    .select('failure')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.failure;
}

/** Has a content never parsed again. */
export async function recordUnparsable(db: Db, sha256: string, failure: Failure): Promise<void> {
  await db
    .insertInto('unparsable_contents')
    .values({ sha256, failure })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The name of a content that is in memory. */
export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);
