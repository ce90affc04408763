import {
  AppError,
  COLLEAGUE_INVITATION_DAYS,
  type ColleagueAccess,
  type ColleagueInvitation,
  type SelfRegisterBody,
} from '@ams/contract';
import { sql } from 'kysely';
import { audit } from '../platform/auth/audit.ts';
import type { Person, Viewer } from '../platform/auth/auth.ts';
import { actingAs, findActor, lockAccount, requireActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { findOpenInvitation } from './colleague-invitations.queries.ts';
import { insertColleague, requireRoom } from './colleagues.service.ts';
import { newCode } from './invitations.service.ts';

/** It is sent as a link and opens an account that exists: longer than a code that people type. */
const CODE_LENGTH = 20;

/**
 * Invites a colleague of the viewer's account, for a few days.
 * @throws `TOO_MANY_COLLEAGUES`
 */
export const inviteColleague = (
  db: Db,
  viewer: Viewer,
  { name, access }: { name: string; access: ColleagueAccess },
): Promise<ColleagueInvitation> =>
  db.transaction().execute(async (trx) => {
    // One after the other: each sees the invitations of the others.
    await lockAccount(trx, viewer.id);
    await requireActor(trx, viewer.id, { person: viewer.person });
    await requireRoom(trx, viewer.id);
    const code = newCode(CODE_LENGTH);
    await trx
      .insertInto('colleague_invitations')
      .values({
        ...{ code, name, access, account_id: viewer.id },
        expires_at: sql<Date>`now() + make_interval(days => ${COLLEAGUE_INVITATION_DAYS})`,
      })
      .execute();
    await audit(trx, viewer, { action: 'colleagues.invite', target: name, details: { access } });
    const invitation = await findOpenInvitation(trx, code);
    if (!invitation) throw new AppError('INTERNAL');
    return invitation;
  });

/** Revokes an open invitation of the viewer's account. */
export const revokeColleagueInvitation = (db: Db, viewer: Viewer, code: string): Promise<void> =>
  actingAs(db, viewer, {}, async (trx) => {
    const revoked = await trx
      .deleteFrom('colleague_invitations')
      .where('code', '=', code.toUpperCase())
      .where('account_id', '=', viewer.id)
      .returning('name')
      .executeTakeFirst();
    if (!revoked) throw new AppError('NOT_FOUND');
    await audit(trx, viewer, { action: 'colleagues.revoke', target: revoked.name });
  });

export interface ColleaguePlace {
  account: { username: string };
  name: string;
  access: ColleagueAccess;
}

/** The place that an open invitation offers; undefined for any other code, and while the account is disabled. */
export const findColleaguePlace = (db: Db, code: string): Promise<ColleaguePlace | undefined> =>
  db.transaction().execute(async (trx) => {
    const open = await findOpenInvitation(trx, code);
    if (!open || !(await findActor(trx, open.accountId))) return undefined;
    const account = await trx
      .selectFrom('users')
      .select('username')
      .where('id', '=', open.accountId)
      .executeTakeFirstOrThrow();
    return { account, name: open.name, access: open.access };
  });

/**
 * Uses an invitation: of several uses at the same instant one succeeds. Undefined for a code that invites no colleague.
 * @throws `PASSWORD_DIFFERENT`, `USERNAME_TAKEN`
 */
export async function joinAsColleague(
  trx: Db,
  body: Pick<SelfRegisterBody, 'username' | 'password' | 'confirm'> & { code: string },
): Promise<Person | undefined> {
  const open = await findOpenInvitation(trx, body.code);
  if (!open || !(await findActor(trx, open.accountId))) return undefined;
  if (body.confirm !== body.password) throw new AppError('PASSWORD_DIFFERENT');
  const used = await trx
    .deleteFrom('colleague_invitations')
    .where('code', '=', open.code)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['account_id', 'name', 'access'])
    .executeTakeFirst();
  if (!used) return undefined;
  const { username, password } = body;
  const { account_id: accountId, name, access } = used;
  const person = await insertColleague(trx, { accountId, name, access, username, password });
  const target = { targetId: person.id, target: username };
  await audit(trx, { id: accountId, person }, { action: 'colleagues.join', ...target, details: { access } });
  return person;
}

/** Removes invitations that have expired. */
export const cleanColleagueInvitations = (db: Db): Promise<unknown> =>
  sql`delete from colleague_invitations where expires_at < now()`.execute(db);
