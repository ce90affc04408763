import {
  AppError,
  type CreateUserBody,
  type UpdateUserBody,
  type Role,
  type User,
  type users,
  type WorkingHours,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { audit, handOverAudit } from '../platform/auth/audit.ts';
import { actingAs, holdUsers, lockAccount, requireActor } from '../platform/auth/authority.ts';
import { type Person, personOf, requirePerson, type Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import { publish } from '../platform/events/events.ts';
import { prepared } from '../platform/database/prepared.ts';
import { isAsSeen } from '../platform/database/seen.ts';
import { isUniqueViolation } from '../platform/database/database.ts';
import { hashPassword } from '../platform/auth/passwords.ts';
import { endAuthority } from './ends.service.ts';
import type { UserLinks } from './links.ts';
import { findUser, findUserInScope, insertUser } from './users.queries.ts';

/** The first account, above all others. */
export const rootUser = (db: Db): Promise<{ id: string }> =>
  db.selectFrom('users').select('id').where('superior_id', 'is', null).executeTakeFirstOrThrow();

/** Creates the first account if there is none and returns its generated password. */
export async function ensureRoot(
  db: Db,
  admin: { username: string; password: string | undefined },
  makePassword: () => string,
): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('ams root account'))`.execute(trx);
    const existing = await trx.selectFrom('users').select('id').where('superior_id', 'is', null).executeTakeFirst();
    if (existing) return undefined;
    const password = admin.password ?? makePassword();
    await insertUser(trx, {
      id: uuidv7(),
      username: admin.username,
      passwordHash: await hashPassword(password),
      role: 'leading',
      superiorId: null,
    });
    return password;
  });
}

/** Records this moment as the last login of a person, and answers the person and the user whom the person acts for. */
export async function recordLogin(db: Db, personId: string): Promise<{ user: User; person: Person }> {
  const row = await db
    .updateTable('users')
    .set({ last_login_at: new Date() })
    .where('id', '=', personId)
    .returning(['id', 'username', 'name', 'access', 'colleague_of'])
    .modifyEnd(prepared)
    .executeTakeFirst();
  const found = mustFind(row);
  return { user: mustFind(await findUser(db, found.colleague_of ?? found.id)), person: personOf(found) };
}

const mustFind = <T>(found: T | undefined): T => {
  if (found === undefined) throw new AppError('NOT_FOUND');
  return found;
};

export const getUser = async (db: Db, viewer: Pick<Viewer, 'id' | 'role'>, id: string): Promise<User> =>
  mustFind(await findUserInScope(db, viewer, id));

interface NewUser {
  id: string;
  username: string;
  password: string;
  confirm?: string;
  role: Role;
  phone?: string | null | undefined;
  superiorId: string;
}

/** Adds an account below a user; the open pages of everybody above hear of what is its from then on. */
export async function createAccount(trx: Db, wanted: NewUser): Promise<User> {
  if (wanted.confirm !== undefined && wanted.confirm !== wanted.password) throw new AppError('PASSWORD_DIFFERENT');
  try {
    await insertUser(trx, {
      ...wanted,
      phone: wanted.phone ?? null,
      passwordHash: await hashPassword(wanted.password),
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('USERNAME_TAKEN');
    throw error;
  }
  await publish(trx, { topic: 'users', ids: [wanted.id] });
  return mustFind(await findUser(trx, wanted.id));
}

export const createUser = (db: Db, viewer: Viewer, body: CreateUserBody): Promise<User> =>
  actingAs(db, viewer, { role: 'leading' }, async (trx) => {
    const user = await createAccount(trx, { id: uuidv7(), ...body, superiorId: viewer.id });
    await audit(trx, viewer, { action: 'users.create', targetId: user.id, target: user.username });
    return user;
  });

/** The user if the viewer may change it: in scope, neither the first account nor the viewer itself. */
export async function changeable(db: Db, viewer: Viewer, id: string): Promise<User> {
  const user = await getUser(db, viewer, id);
  if (user.superior === null) throw new AppError('ROOT_PROTECTED');
  if (user.id === viewer.id) throw new AppError('NOT_YOURSELF');
  return user;
}

/** Holds the account of a user whom the viewer changes, as somebody above it who may do so now; call it first. */
export async function requireAbove(trx: Db, viewer: Viewer, id: string): Promise<void> {
  await lockAccount(trx, id);
  await requireActor(trx, viewer.id, { role: 'leading', owners: [id], person: viewer.person });
}

/** Those whose merchant a user is: everybody right below it, and itself when nobody is above it. */
const customersOf = (id: string) =>
  sql`select u.id from users u where u.superior_id = ${id} or (u.id = ${id} and u.superior_id is null)`;

/** The remark of an account after a change: a disabled one has one, which may be replaced; others have none. */
function remarkAfter(before: User, { disabled, remark }: UpdateUserBody): string | null {
  if (disabled === undefined && remark === undefined) return before.remark;
  if (!(disabled ?? before.disabled)) {
    // A remark alone would change nothing; one that is sent with `disabled: false` goes with the ban.
    if (disabled === undefined && remark) throw invalidField('remark', 'invalid');
    return null;
  }
  if (!remark) throw invalidField('remark', 'remark.required');
  return remark;
}

/** Forbids, enables, changes phone, role or what is demanded below. Forbidding ends the user's sessions at once. */
export async function updateUser(
  { db }: Pick<Deps, 'db'>,
  links: UserLinks,
  viewer: Viewer,
  id: string,
  body: UpdateUserBody,
): Promise<User> {
  const harmless = body.disabled === undefined && body.role === undefined;
  const seen = harmless ? await getUser(db, viewer, id) : await changeable(db, viewer, id);
  // The first account has nobody above it.
  if (body.quotaBytes !== undefined && id === viewer.id && seen.superior) throw new AppError('NOT_YOURSELF');
  // It binds the colleagues of the account, too.
  if (body.secondFactorBelow !== undefined && id === viewer.id) requirePerson('holder', viewer.person);
  return db.transaction().execute(async (trx) => {
    await requireAbove(trx, viewer, id);
    const before = mustFind(await findUser(trx, id));
    if (body.releasesNeedApproval && (body.role ?? before.role) === 'leading') {
      throw invalidField('releasesNeedApproval', 'invalid');
    }
    await trx
      .updateTable('users')
      .set({
        ...(body.phone !== undefined && { phone: body.phone }),
        ...(body.role !== undefined && { role: body.role }),
        ...(body.quotaBytes !== undefined && { quota_bytes: body.quotaBytes }),
        ...(body.secondFactorBelow !== undefined && { second_factor_below: body.secondFactorBelow }),
        ...(body.releasesNeedApproval !== undefined && { releases_need_approval: body.releasesNeedApproval }),
        ...(body.disabled !== undefined && { disabled: body.disabled }),
        remark: remarkAfter(before, body),
        id,
      })
      .where('id', '=', id)
      .execute();
    if (body.disabled) await endAuthority(trx, links, viewer, id, 'disabled');
    else if (before.role === 'leading' && body.role === 'member') await endAuthority(trx, links, viewer, id, 'demoted');
    if (body.disabled !== undefined || body.role !== undefined) await links.authorityChanged(trx, id);
    if (body.phone !== undefined && body.phone !== before.phone) await links.merchantChanged(trx, customersOf(id));
    await audit(trx, viewer, {
      action: body.disabled === undefined ? 'users.change' : body.disabled ? 'users.forbid' : 'users.enable',
      targetId: id,
      target: before.username,
      details: { ...body },
    });
    await publish(trx, { topic: 'users', ids: [id] });
    return mustFind(await findUser(trx, id));
  });
}

/** Sets a phone number: everybody's own, and for leading users those of users below. */
export const changePhone = (
  { db }: Pick<Deps, 'db'>,
  links: UserLinks,
  viewer: Viewer,
  id: string,
  phone: string | null,
): Promise<User> =>
  actingAs(db, viewer, { owners: [id] }, async (trx) => {
    await trx.updateTable('users').set({ phone }).where('id', '=', id).execute();
    await links.merchantChanged(trx, customersOf(id));
    const user = mustFind(await findUser(trx, id));
    await audit(trx, viewer, { action: 'users.change', targetId: id, target: user.username, details: { phone } });
    await publish(trx, { topic: 'users', ids: [id] });
    return user;
  });

/** A user and those below it that have the same default working hours as it. */
const sharingHours = (id: string) => sql`
  with recursive below as (
    select ${id}::uuid as id
    union all
    select u.id from below join users u on u.superior_id = below.id where u.working_hours is null
  )
  select id from below`;

/** Stores the default working hours of a user; the manifests of the devices that they apply to change with them. */
async function storeHours(trx: Db, links: UserLinks, id: string, hours: WorkingHours | null): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ working_hours: hours && JSON.stringify(hours) })
    .where('id', '=', id)
    .where('working_hours', 'is distinct from', sql<WorkingHours | null>`${hours && JSON.stringify(hours)}::jsonb`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await links.defaultHoursChanged(trx, sharingHours(id));
}

/** Sets default working hours: everybody's own, and for leading users those of users below. */
export const changeWorkingHours = (
  { db }: Pick<Deps, 'db'>,
  links: UserLinks,
  viewer: Viewer,
  id: string,
  { workingHours, seen }: z.output<typeof users.changeWorkingHours.body>,
): Promise<User> =>
  actingAs(db, viewer, { owners: [id] }, async (trx) => {
    const { rows } = await sql<{ hours: WorkingHours | null }>`
      select working_hours as hours from users where id = ${id} for no key update`.execute(trx);
    if (!isAsSeen(rows[0]?.hours, { seen, next: workingHours })) throw new AppError('CHANGED_MEANWHILE');
    await storeHours(trx, links, id, workingHours);
    const user = mustFind(await findUser(trx, id));
    await audit(trx, viewer, {
      action: 'users.change',
      targetId: id,
      target: user.username,
      details: { workingHours },
    });
    await publish(trx, { topic: 'users', ids: [id] });
    return user;
  });

/** Serializes deletions within a branch of users: each heir exists when it inherits. */
const lockDeletions = (trx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('ams deleted users'))`.execute(trx);

/** Deletes a user; devices, files, ads, releases, apps, codes and sub-users go to its superior. */
export async function deleteUser(db: Db, links: UserLinks, viewer: Viewer, id: string): Promise<void> {
  await changeable(db, viewer, id);
  await db.transaction().execute(async (trx) => {
    await lockDeletions(trx);
    // A user who changes another one holds that one first and then itself.
    await sql`select from users where superior_id = ${id} order by id for no key update`.execute(trx);
    await requireAbove(trx, viewer, id);
    const user = mustFind(await findUser(trx, id));
    const heir = user.superior?.id;
    if (heir === undefined) throw new AppError('ROOT_PROTECTED');
    await holdUsers(trx, sql`select ${heir}::uuid`);
    await endAuthority(trx, links, viewer, id, 'deleted');
    await storeHours(trx, links, id, null);
    await links.handOverPublished(trx, id, heir);
    await handOverTree(trx, id, heir);
    await links.handOver(trx, viewer, id, heir);
    await trx.deleteFrom('users').where('id', '=', id).execute();
    // Its devices are the heir's now, and those of its customers have the heir for a merchant.
    await links.merchantChanged(trx, sql`select u.id from users u where u.superior_id = ${heir} or u.id = ${heir}`);
    await audit(trx, viewer, { action: 'users.delete', targetId: id, target: user.username });
    await publish(trx, { topic: 'users', ids: [id] });
  });
}

/** Hands to `heir` the users below, the invitation codes and the lines of the audit. */
async function handOverTree(trx: Db, id: string, heir: string): Promise<void> {
  await trx.updateTable('invitations').set({ created_by: heir }).where('created_by', '=', id).execute();
  await handOverAudit(trx, id, heir);
  await trx.updateTable('users').set({ superior_id: heir }).where('superior_id', '=', id).execute();
}

/** The credentials of a person; only the feature `session` changes them. */
export interface Credentials {
  password_hash?: string;
  totp_secret?: string | null;
  totp_step?: number;
  code_failures?: number;
  code_failed_at?: Date | RawBuilder<Date>;
}

/** Changes a person's password or second factor. */
export const updateCredentials = (trx: Db, id: string, changes: Credentials): Promise<unknown> =>
  trx.updateTable('users').set(changes).where('id', '=', id).execute();
