import './users.tables.ts';
import {
  AppError,
  type Colleague,
  type ColleagueAccess,
  COLLEAGUES_MAX,
  type UpdateColleagueBody,
} from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { audit } from '../platform/auth/audit.ts';
import { type Person, requirePerson, type Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import { type Db, iso, isUniqueViolation } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { hashPassword } from '../platform/auth/passwords.ts';
import { listInvitationsOf } from './colleague-invitations.queries.ts';
import type { UserLinks } from './links.ts';
import { getUser } from './users.service.ts';

const selectColleagues = (db: Db) =>
  db
    .selectFrom('users as p')
    .select(['p.id', 'p.username', 'p.disabled', 'p.disabled_above as disabledAbove'])
    .select([sql<string>`p.name`.as('name'), sql<ColleagueAccess>`p.access`.as('access')])
    .select([
      sql<boolean>`p.totp_secret is not null`.as('secondFactor'),
      iso(sql`p.created_at`).as('createdAt'),
      sql<string | null>`${iso(sql`p.last_login_at`)}`.as('lastLoginAt'),
    ]);

/** The colleagues of the viewer's account or of one below; the holder of the account also gets its open invitations. */
export async function listColleagues(db: Db, viewer: Viewer, account = viewer.id) {
  await getUser(db, viewer, account);
  const isHolder = account === viewer.id && viewer.person.access === 'holder';
  return {
    colleagues: await selectColleagues(db).where('p.colleague_of', '=', account).orderBy('p.id').execute(),
    invitations: isHolder ? await listInvitationsOf(db, account) : [],
  };
}

/** Ids of an account's colleagues, whose rows the transaction holds; the account's row is held before. */
export async function holdColleagues(trx: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where colleague_of = ${accountId} order by id for update`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Refuses an account that has as many colleagues and open invitations as it may have. The account's row is held.
 * @throws `TOO_MANY_COLLEAGUES`
 */
export async function requireRoom(trx: Db, accountId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from users where colleague_of = ${accountId})
      + (select count(*) from colleague_invitations where account_id = ${accountId} and expires_at > now())
      as count`.execute(trx);
  if ((rows[0]?.count ?? 0) >= COLLEAGUES_MAX) throw new AppError('TOO_MANY_COLLEAGUES', { max: COLLEAGUES_MAX });
}

interface NewColleague {
  accountId: string;
  name: string;
  access: ColleagueAccess;
  username: string;
  password: string;
}

/**
 * Adds a colleague of an account.
 * @throws `USERNAME_TAKEN`
 */
export async function insertColleague(trx: Db, wanted: NewColleague): Promise<Person> {
  const { accountId, name, access, username } = wanted;
  const id = uuidv7();
  try {
    await trx
      .insertInto('users')
      .values({
        id,
        username,
        username_key: username.toLowerCase(),
        password_hash: await hashPassword(wanted.password),
        role: 'member',
        phone: null,
        superior_id: accountId,
        colleague_of: accountId,
        name,
        access,
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('USERNAME_TAKEN');
    throw error;
  }
  return { id, username, name, access };
}

/** A colleague whom the viewer may see, and the account that the colleague acts for. */
async function findColleague(db: Db, viewer: Viewer, id: string): Promise<{ accountId: string }> {
  const row = await db.selectFrom('users').select('colleague_of').where('id', '=', id).executeTakeFirst();
  if (!row?.colleague_of) throw new AppError('NOT_FOUND');
  await getUser(db, viewer, row.colleague_of);
  return { accountId: row.colleague_of };
}

/** Does something with a colleague for the holder of the account or a user above; account and colleague are held. */
async function withColleague<T>(
  db: Db,
  viewer: Viewer,
  id: string,
  act: (trx: Db, colleague: Colleague, accountId: string) => Promise<T>,
): Promise<T> {
  const { accountId } = await findColleague(db, viewer, id);
  if (accountId === viewer.id) requirePerson('holder', viewer.person);
  return actingAs(db, viewer, { owners: [accountId] }, async (trx) => {
    await sql`select from users where id = ${id} for update`.execute(trx);
    const colleague = await selectColleagues(trx).where('p.id', '=', id).executeTakeFirst();
    if (!colleague) throw new AppError('NOT_FOUND');
    return act(trx, colleague, accountId);
  });
}

/** Whether a colleague may do less after a change: the sessions then end. */
const losesAccess = (before: Colleague, change: z.output<typeof UpdateColleagueBody>): boolean =>
  change.disabled === true || (before.access === 'operator' && change.access === 'readOnly');

/**
 * Changes a colleague: the holder all of it, users above the account only whether the colleague is disabled.
 * @throws `HOLDER_ONLY`, `DISABLED_ABOVE`
 */
export const updateColleague = (
  db: Db,
  links: UserLinks,
  viewer: Viewer,
  id: string,
  change: z.output<typeof UpdateColleagueBody>,
): Promise<Colleague> =>
  withColleague(db, viewer, id, async (trx, before, accountId) => {
    const isAbove = accountId !== viewer.id;
    const { name, access, disabled } = change;
    if (isAbove && (name !== undefined || access !== undefined)) throw new AppError('HOLDER_ONLY');
    if (!isAbove && disabled === false && before.disabledAbove) throw new AppError('DISABLED_ABOVE');
    await trx
      .updateTable('users')
      .set({
        ...(name !== undefined && { name }),
        ...(access !== undefined && { access }),
        ...(disabled !== undefined && { disabled, disabled_above: disabled && (isAbove || before.disabledAbove) }),
        id,
      })
      .where('id', '=', id)
      .execute();
    if (losesAccess(before, change)) await links.endSessions(trx, id);
    const action = disabled === undefined ? 'change' : disabled ? 'disable' : 'enable';
    await audit(trx, viewer, {
      action: `colleagues.${action}`,
      targetId: id,
      target: before.username,
      scopeId: accountId,
      details: { ...change },
    });
    await publish(trx, { topic: 'users', ids: [id] });
    return selectColleagues(trx).where('p.id', '=', id).executeTakeFirstOrThrow();
  });

/** Deletes a colleague; what the colleague did for the account stays. */
export const deleteColleague = (db: Db, viewer: Viewer, id: string): Promise<void> =>
  withColleague(db, viewer, id, async (trx, { username, name }, accountId) => {
    await trx.deleteFrom('users').where('id', '=', id).execute();
    const target = { targetId: id, target: username };
    await audit(trx, viewer, { action: 'colleagues.delete', ...target, scopeId: accountId, details: { name } });
    await publish(trx, { topic: 'users', ids: [id] });
  });

/** The person who is signed in, with whether a second factor is on. */
export async function getSelf(db: Db, { person }: Viewer): Promise<Person & { secondFactor: boolean }> {
  const { rows } = await sql<{ secondFactor: boolean }>`
    select totp_secret is not null as "secondFactor" from users where id = ${person.id}`.execute(db);
  if (!rows[0]) throw new AppError('UNAUTHENTICATED');
  return { ...person, ...rows[0] };
}
