import { AppError, LOGIN_TRIES } from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { lockAccount } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { isRecent, LOCK_WINDOW, tooMany } from './locks.ts';
import { verifyPassword } from '../platform/auth/passwords.ts';

/**
 * Checks the viewer's own password and answers its hash. The try stays counted until `forgetOwnTries`.
 * @throws `WRONG_PASSWORD`, `TOO_MANY`
 */
export async function checkOwnPassword(db: Db, viewer: Viewer, password: string): Promise<string> {
  await countOwnTry(db, viewer);
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', viewer.person.id)
    .executeTakeFirst();
  if (!row || !(await verifyPassword(row.password_hash, password))) throw new AppError('WRONG_PASSWORD');
  return row.password_hash;
}

/**
 * Counts a try at the viewer's own password before it is looked at: tries at once are as many tries. A person has
 * five in a quarter of an hour over all its sessions; a session without a wrong try has one all the same, so that
 * a thief of a token cannot lock out the owner, who can sign in again.
 * @throws `TOO_MANY`
 */
async function countOwnTry(db: Db, viewer: Viewer): Promise<void> {
  const counted = await db.transaction().execute(async (trx) => {
    // A statement that waited for a row would still add up the other rows as they were before it waited.
    await lockAccount(trx, viewer.person.id);
    const { rows } = await sql`
      update sessions s set
        failures = case when ${isRecent(sql`s.failed_at`)} then s.failures + 1 else 1 end, failed_at = now()
      where s.token_hash = ${viewer.tokenHash} and (
        s.failures = 0 or ${isRecent(sql`s.failed_at`)} is not true
        or (select sum(o.failures) from sessions o where o.user_id = s.user_id and ${isRecent(sql`o.failed_at`)})
          < ${LOGIN_TRIES})
      returning 1`.execute(trx);
    return rows.length > 0;
  });
  if (counted) return;
  const { rows: locked } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from failed_at + ${LOCK_WINDOW} - now()))::integer as seconds
    from sessions where token_hash = ${viewer.tokenHash}`.execute(db);
  if (!locked[0]) throw new AppError('UNAUTHENTICATED');
  throw tooMany(Math.max(1, locked[0].seconds));
}

/** Forgets the tries of a session after one was right. */
export async function forgetOwnTries(db: Db, viewer: Viewer): Promise<void> {
  await db.updateTable('sessions').set({ failures: 0 }).where('token_hash', '=', viewer.tokenHash).execute();
}
