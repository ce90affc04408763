import { AppError, type Role } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Person, Viewer } from './auth.ts';
import type { Db } from '../database/database.ts';
import { inScope, type Scoped } from './scope.ts';

/** The user for whom something takes effect, with the role and place of this moment. */
export interface Actor extends Scoped {
  id: string;
  role: Role;
}

/** Permission that an actor needs besides being enabled. */
export interface Demand {
  role?: 'leading';
  /** Ids of users that must be in the actor's scope. */
  owners?: readonly string[];
  /** The person who acts for the actor right now; without one, an effect that was ordered before is the account's. */
  person?: Pick<Person, 'id' | 'access'>;
}

interface Account {
  id: string;
  role: Role;
  disabled: boolean;
  remark: string | null;
  isRoot: boolean;
}

/**
 * The actor of an effect, checked in the effect's own transaction: whatever was ordered before, it takes effect only
 * for somebody who may order it now. Until the transaction ends, nobody disables, demotes or deletes the actor or the
 * `owners`. Call it first: people are locked before releases, and releases before devices.
 * @throws `UNAUTHENTICATED` (deleted), `FORBIDDEN_USER` (disabled), `LEADING_ONLY`, `NOT_FOUND` (an owner)
 */
export async function requireActor(trx: Db, id: string, { role, owners = [], person }: Demand = {}): Promise<Actor> {
  // The lock that foreign keys take: sign-ins do not wait for it, `lockAccount` does.
  const { rows } = await sql<Account>`
    select u.id, u.role, u.disabled, u.remark, u.superior_id is null as "isRoot" from users u
    where u.id = any(${[id, ...owners]}::uuid[]) order by u.id for key share`.execute(trx);
  const account = rows.find((row) => row.id === id);
  if (!account) throw new AppError('UNAUTHENTICATED');
  if (account.disabled) throw new AppError('FORBIDDEN_USER', { remark: account.remark ?? '' });
  if (role === 'leading' && account.role !== 'leading') throw new AppError('LEADING_ONLY');
  if (person && person.id !== id) await requireColleague(trx, id, person);
  const actor: Actor = { id: account.id, role: account.role, ...(account.isRoot && { superior: null }) };
  if (!(await coversAll(trx, actor, owners))) throw new AppError('NOT_FOUND');
  return actor;
}

/** Holds a colleague who acts for an account; one who was deleted, disabled or given less access may not any more. */
async function requireColleague(trx: Db, accountId: string, person: Pick<Person, 'id' | 'access'>): Promise<void> {
  const { rows } = await sql<{ disabled: boolean; access: string }>`
    select disabled, access from users where id = ${person.id} and colleague_of = ${accountId} for key share`.execute(
    trx,
  );
  const [now] = rows;
  if (!now) throw new AppError('UNAUTHENTICATED');
  if (now.disabled) throw new AppError('FORBIDDEN_USER', { remark: '' });
  if (person.access === 'operator' && now.access !== 'operator') throw new AppError('READ_ONLY');
}

/**
 * Refuses an owner outside the viewer's scope as if it did not exist; without one it is the viewer.
 * @throws `NOT_FOUND`
 */
export async function ownerInScope(
  db: Db,
  viewer: Pick<Viewer, 'id' | 'role'>,
  ownerId: string | undefined,
): Promise<string> {
  if (ownerId === undefined || ownerId === viewer.id) return viewer.id;
  const { rows } =
    await sql`select from users x where x.id = ${ownerId}::uuid and x.colleague_of is null and ${inScope(viewer, sql`x.id`)}`.execute(
      db,
    );
  if (rows.length === 0) throw new AppError('NOT_FOUND');
  return ownerId;
}

/** As `requireActor`; undefined for an actor that may not. */
export async function findActor(trx: Db, id: string, demand?: Demand): Promise<Actor | undefined> {
  try {
    return await requireActor(trx, id, demand);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Does something in one transaction for a user who may do it now; `effect` is handed the user as of now. */
export const actingAs = <P extends Pick<Actor, 'id'> & { person?: Person }, T>(
  db: Db,
  user: P,
  demand: Omit<Demand, 'person'>,
  effect: (trx: Db, actor: P & Actor) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const { person } = user;
    return effect(trx, { ...user, ...(await requireActor(trx, user.id, { ...demand, ...(person && { person }) })) });
  });

/** Holds an account until the transaction ends; effects of its user that are under way come first. */
export const lockAccount = (trx: Db, id: string): Promise<unknown> =>
  sql`select from users where id = ${id} for update`.execute(trx);

/**
 * Holds users (a query of ids) whom new rows will name, such as owners: nobody disables, demotes or deletes them until the
 * transaction ends. Call it before anything but people is held: a foreign key takes the same lock, but too late.
 */
export const holdUsers = (trx: Db, ids: RawBuilder<unknown>): Promise<unknown> =>
  sql`select from users where id in (${ids}) order by id for key share`.execute(trx);

async function coversAll(trx: Db, actor: Actor, owners: readonly string[]): Promise<boolean> {
  const others = [...new Set(owners)].filter((owner) => owner !== actor.id);
  if (others.length === 0) return true;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from users x
    where x.id = any(${others}::uuid[]) and x.colleague_of is null and ${inScope(actor, sql`x.id`)}`.execute(trx);
  return rows[0]?.count === others.length;
}

/**
 * The condition that the user whose id the column `actor` holds has the user of the column `owner` in scope: `inScope`
 * for rows that name their actor themselves.
 */
export const covers = (actor: RawBuilder<unknown>, owner: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${actor} = ${owner} or exists (
    select from user_scopes s join users leader on leader.id = s.ancestor_id and leader.role = 'leading'
    where s.ancestor_id = ${actor} and s.user_id = ${owner}))`;
