import './groups.tables.ts';
import { AppError, type CreateGroupBody, type Group, type Page, type PageQuery, type Role } from '@ams/contract';
import type { UpdateGroupBody, UserRef } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, holdUsers } from '../platform/auth/authority.ts';
import { inScope, inScopeEach, type Scoped } from '../platform/auth/scope.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst } from '../platform/database/page.ts';
import { isAsSeen } from '../platform/database/seen.ts';
import type { DeviceSet, GroupLinks } from './links.ts';

export type { DeviceSet, Measure } from './links.ts';

/** The condition that a group `g` is a bookable one of a superior. */
const isOffered = (viewer: Scoped) => sql<boolean>`(g.bookable and g.owner_id in (
  select s.ancestor_id from user_scopes s where s.user_id = ${viewer.id}))`;

/** Groups in the viewer's scope, with their filter, and bookable ones of superiors, without. */
const selectGroups = (db: Db, viewer: Scoped) =>
  db
    .selectFrom('groups as g')
    .innerJoin('users as u', 'u.id', 'g.owner_id')
    .select(['g.id', 'g.name', 'g.filter', 'g.bookable', 'g.owner_id', 'u.role', 'u.superior_id'])
    .select(inScope(viewer, sql`g.owner_id`).as('isMine'))
    .select(userRef<UserRef>(sql`g.owner_id`).as('owner'))
    .select(iso(sql`g.created_at`).as('createdAt'))
    .where(sql<boolean>`(${inScope(viewer, sql`g.owner_id`)} or ${isOffered(viewer)})`);

type Row = Awaited<ReturnType<ReturnType<typeof selectGroups>['executeTakeFirstOrThrow']>>;

/** The owner of a group as the one whose scope its devices are in. */
const scopedOwner = ({
  owner_id: id,
  role,
  superior_id,
}: {
  owner_id: string;
  role: Role;
  superior_id: string | null;
}) => (superior_id === null ? { id, role, superior: null } : { id, role });

/** The groups of these rows, with the number of their devices: one query for all. */
async function measured(db: Db, links: GroupLinks, rows: readonly Row[]): Promise<Group[]> {
  const sets = rows.map((row): DeviceSet => ({ owner: scopedOwner(row), filter: row.filter }));
  const measures = await links.measure(db, sets);
  return rows.map((row, index) => {
    const { id, name, filter, bookable, owner, createdAt, isMine } = row;
    const { devices = 0, areas = [] } = measures[index] ?? {};
    const orientation = filter.orientation ?? null;
    return { id, name, filter: isMine ? filter : null, bookable, owner, devices, orientation, areas, createdAt };
  });
}

export async function listGroups(
  db: Db,
  links: GroupLinks,
  viewer: Viewer,
  query: PageQuery & { q?: string | undefined },
): Promise<Page<Group>> {
  const { q } = query;
  const list = selectGroups(db, viewer).$if(q !== undefined, (all) =>
    all.where(sql<boolean>`g.name ilike ${contains(q ?? '')}`),
  );
  const page = await newestFirst(list, query, sql`g.created_at`, sql`g.id`);
  return { ...page, items: await measured(db, links, page.items) };
}

/** One group in scope, or a bookable one of a superior. Throws `NOT_FOUND`. */
export async function getGroup(db: Db, links: GroupLinks, viewer: Scoped, id: string): Promise<Group> {
  const row = await selectGroups(db, viewer).where('g.id', '=', id).executeTakeFirst();
  const [group] = row ? await measured(db, links, [row]) : [];
  if (!group) throw new AppError('NOT_FOUND');
  return group;
}

/** The devices of a group in scope. Throws `NOT_FOUND`; a bookable group of a superior has no devices to choose. */
export async function findDeviceSet(db: Db, viewer: Scoped, id: string): Promise<DeviceSet> {
  const row = await selectGroups(db, viewer).where('g.id', '=', id).executeTakeFirst();
  if (!row?.isMine) throw new AppError('NOT_FOUND');
  return { owner: scopedOwner(row), filter: row.filter };
}

/** The devices that a campaign on this group may have. `isMine`: the group is in the viewer's scope, and so are its devices. */
export interface BookableSet extends DeviceSet {
  isMine: boolean;
  bookable: boolean;
}

/** A group in scope, or a bookable one of a superior. Throws `NOT_FOUND`. */
export async function findBookableSet(db: Db, viewer: Scoped, id: string): Promise<BookableSet> {
  const row = await selectGroups(db, viewer).where('g.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  return { owner: scopedOwner(row), filter: row.filter, isMine: row.isMine, bookable: row.bookable };
}

/** Whose devices a group has for a viewer: `own` ones, or those of a superior, which can be requested (`above`); null: neither. */
export const sideOfGroup = (viewer: Scoped, id: RawBuilder<unknown>): RawBuilder<'own' | 'above' | null> => sql`(
  select case when ${inScope(viewer, sql`g.owner_id`)} then 'own' when ${isOffered(viewer)} then 'above' end
  from groups g where g.id = ${id})`;

/** The devices of these groups, by id, whoever's they are. */
export async function readDeviceSets(db: Db, ids: readonly string[]): Promise<Map<string, DeviceSet>> {
  const rows = await db
    .selectFrom('groups as g')
    .innerJoin('users as u', 'u.id', 'g.owner_id')
    .select(['g.id', 'g.filter', 'g.owner_id', 'u.role', 'u.superior_id'])
    .where(sql<boolean>`g.id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { owner: scopedOwner(row), filter: row.filter }]));
}

export const createGroup = (db: Db, links: GroupLinks, viewer: Viewer, body: CreateGroupBody): Promise<Group> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const id = uuidv7();
    const { name, filter, bookable = false } = body;
    await trx
      .insertInto('groups')
      .values({ id, owner_id: actor.id, name, filter: JSON.stringify(filter), bookable })
      .execute();
    await audit(trx, actor, { action: 'groups.create', targetId: id, target: name, details: { filter, bookable } });
    return getGroup(trx, links, actor, id);
  });

/** Holds the owner of a group, whom the audit names. Call it first. */
const holdOwner = (trx: Db, id: string): Promise<unknown> =>
  holdUsers(trx, sql`select owner_id from groups where id = ${id}`);

/** Locks a group in the actor's scope. Throws `NOT_FOUND`. */
async function lockGroup(trx: Db, actor: Actor, id: string) {
  const group = await trx
    .selectFrom('groups as g')
    .select(['g.name', 'g.filter', 'g.bookable', 'g.owner_id'])
    .where('g.id', '=', id)
    .where(inScopeEach(actor, sql`g.owner_id`))
    .forUpdate()
    .executeTakeFirst();
  if (!group) throw new AppError('NOT_FOUND');
  return group;
}

export const updateGroup = (
  db: Db,
  links: GroupLinks,
  viewer: Viewer,
  id: string,
  { seen, ...body }: z.output<typeof UpdateGroupBody>,
): Promise<Group> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    await holdOwner(trx, id);
    if (body.filter) await links.lockStanding(trx);
    const { owner_id: scopeId, ...before } = await lockGroup(trx, actor, id);
    if (!isAsSeen(before.filter, { seen, next: body.filter })) throw new AppError('CHANGED_MEANWHILE');
    const { name, filter, bookable } = { ...before, ...body };
    await trx
      .updateTable('groups')
      .set({ name, filter: JSON.stringify(filter), bookable })
      .where('id', '=', id)
      .execute();
    if (body.filter) await links.filterChanged(trx, id, filter);
    const details = { ...body, before };
    await audit(trx, actor, { action: 'groups.update', targetId: id, target: name, scopeId, details });
    return getGroup(trx, links, actor, id);
  });

/** Deletes a group; its devices stay as they are. Throws `GROUP_IN_USE`. */
export const deleteGroup = (db: Db, links: GroupLinks, viewer: Viewer, id: string): Promise<void> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    await holdOwner(trx, id);
    await links.lockStanding(trx);
    const { name, owner_id: scopeId } = await lockGroup(trx, actor, id);
    await links.beforeDelete(trx, actor, id);
    await trx.deleteFrom('groups').where('id', '=', id).execute();
    await audit(trx, actor, { action: 'groups.delete', targetId: id, target: name, scopeId });
  });
