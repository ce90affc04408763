import { AppError } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { sizeInWords } from '../platform/http/size.ts';

interface Usage {
  /** Null: the default; 0: no limit. */
  quota: number | null;
  /** Files as they were uploaded, and unfinished uploads in full. */
  used: number;
}

const usageOf = async (db: Db, owner: string): Promise<Usage | undefined> => {
  const { rows } = await sql<Usage>`
    select u.quota_bytes as quota,
      (select coalesce(sum(t.n), 0) from tallies t
        where t.user_id = u.id and t.subject = 'bytes' and t.part = '' and not t.below)
      + (select coalesce(sum(p.size), 0) from uploads p
        where p.metadata ->> 'owner' = u.id::text
          -- One that has just become a file is removed a moment later.
          and not exists (select from files f where f.id = p.id)) as used
    from users u where u.id = ${owner}`.execute(db);
  return rows[0];
};

/**
 * Throws `QUOTA_EXCEEDED` if an owner has no space for `bytes` more. Within a transaction: checks of the same owner wait
 * for its end, so that simultaneous uploads cannot exceed the quota together.
 * @param byDefault the quota in bytes of an owner without one of its own; 0 is no limit
 */
export async function requireQuota(db: Db, owner: string, bytes: number, byDefault: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('files.quota'), hashtext(${owner}))`.execute(db);
  const usage = await usageOf(db, owner);
  const quota = usage?.quota ?? byDefault;
  if (!usage || quota === 0 || usage.used + bytes <= quota) return;
  throw new AppError('QUOTA_EXCEEDED', { quotaBytes: quota, usedBytes: usage.used, limit: sizeInWords(quota) });
}
