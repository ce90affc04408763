import './users.tables.ts';
import type { ColleagueInvitation } from '@ams/contract';
import { sql } from 'kysely';
import { type Db, iso } from '../platform/database/database.ts';

const selectOpen = (db: Db) =>
  db
    .selectFrom('colleague_invitations as i')
    .select(['i.code', 'i.name', 'i.access', 'i.account_id as accountId'])
    .select(iso(sql`i.created_at`).as('createdAt'))
    .select(iso(sql`i.expires_at`).as('expiresAt'))
    .where('i.expires_at', '>', sql<Date>`now()`);

/** The open invitation with a code, and the account that it invites to. */
export const findOpenInvitation = (
  db: Db,
  code: string,
): Promise<(ColleagueInvitation & { accountId: string }) | undefined> =>
  selectOpen(db).where('i.code', '=', code.toUpperCase()).executeTakeFirst();

/** The open invitations of an account, oldest first. */
export const listInvitationsOf = (db: Db, accountId: string): Promise<ColleagueInvitation[]> =>
  selectOpen(db).where('i.account_id', '=', accountId).orderBy('i.created_at').orderBy('i.code').execute();

/** Ends the open invitations of an account. */
export const endColleagueInvitations = (trx: Db, accountId: string): Promise<unknown> =>
  trx.deleteFrom('colleague_invitations').where('account_id', '=', accountId).execute();
