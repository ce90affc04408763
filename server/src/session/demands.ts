import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

interface Demanded {
  isDemanded: boolean;
  isLacking: boolean;
}

/**
 * Whether somebody above a person demands a second factor of everybody below, and whether the person has none all the
 * same; an account is above its colleagues.
 */
export async function demandOn(db: Db, personId: string): Promise<Demanded> {
  const { rows } = await sql<{ isLacking: boolean }>`
    select p.totp_secret is null as "isLacking" from users p
      join user_scopes s on s.user_id = coalesce(p.colleague_of, p.id)
      join users a on a.id = s.ancestor_id
    where p.id = ${personId} and a.id <> p.id and a.second_factor_below limit 1 ${prepared}`.execute(db);
  return { isDemanded: rows.length > 0, isLacking: rows[0]?.isLacking ?? false };
}
