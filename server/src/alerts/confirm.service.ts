import './alerts.tables.ts';
import { randomInt } from 'node:crypto';
import { AppError, EMAIL_CODE, type Language } from '@ams/contract';
import { sql } from 'kysely';
import { hashToken } from '../platform/auth/auth.ts';
import { AHEAD_MAX } from '../platform/database/clock.ts';
import type { Db } from '../platform/database/database.ts';

/** No look-alikes: neither 0 and O, nor 1, I and L. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export interface Addressed {
  user_id: string;
  email: string | null;
  email_confirmed: string | null;
  language: Language;
}

export const isConfirmed = ({ email, email_confirmed }: Addressed): boolean =>
  email !== null && email === email_confirmed;

/**
 * A new code for the address that is set; undefined when too many were sent: one a minute to an address and a few a
 * day by an account, so that nobody fills other people's mailboxes.
 */
export async function newEmailCode(db: Db, userId: string, email: string): Promise<string | undefined> {
  const code = Array.from({ length: EMAIL_CODE.length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const day = sql`(c.since > now() - interval '1 day' and c.since <= now() + ${AHEAD_MAX})`;
  const { rows } = await sql`
    insert into email_codes as c (user_id, email, code_hash) values (${userId}, ${email}, ${hashToken(code)})
    on conflict (user_id) do update set
      email = excluded.email, code_hash = excluded.code_hash, tries = 0, sent_at = now(),
      sends = case when ${day} then c.sends + 1 else 1 end, since = case when ${day} then c.since else now() end
    where (c.sends < ${EMAIL_CODE.perDay} or not ${day})
      and (c.email <> excluded.email or c.sent_at <= now() - make_interval(secs => ${EMAIL_CODE.pauseSeconds})
        or c.sent_at > now() + ${AHEAD_MAX})
    returning 1`.execute(db);
  return rows.length > 0 ? code : undefined;
}

/**
 * Confirms the address that is set by the code that was sent there. Tries are counted before the code is looked at.
 * @throws `BAD_EMAIL_CODE`
 */
export async function confirmEmail(trx: Db, userId: string, code: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`
    update alerts a set email_confirmed = c.email, email_trouble = null from email_codes c
    where a.user_id = ${userId} and c.user_id = ${userId} and a.email = c.email
      and c.code_hash = ${hashToken(code.toUpperCase())} and c.tries <= ${EMAIL_CODE.tries}
      and c.sent_at > now() - make_interval(hours => ${EMAIL_CODE.hours})
    returning c.email`.execute(trx);
  if (!rows[0]) throw new AppError('BAD_EMAIL_CODE');
  await trx.deleteFrom('email_codes').where('user_id', '=', userId).execute();
  return rows[0].email;
}

export async function countEmailTry(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('email_codes')
    .set({ tries: sql`tries + 1` })
    .where('user_id', '=', userId)
    .execute();
}
