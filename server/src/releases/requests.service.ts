import './releases.tables.ts';
import {
  AppError,
  type ApprovalState,
  type Page,
  type PageQuery,
  REJECTED_DAYS,
  type Release,
  RELEASE_SORTS,
  sortingOf,
  UNDO_SECONDS,
  type UserRef,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, holdUsers } from '../platform/auth/authority.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import { publish } from '../platform/events/events.ts';
import type { Order, StoredAd } from './order.ts';
import { lockStanding } from './standing.lock.ts';

/**
 * Whether releases of an actor wait for approval. The setting does not change before the transaction ends: `actingAs`
 * holds the actor.
 */
export async function needsApproval(trx: Db, { id, role }: Pick<Actor, 'id' | 'role'>): Promise<boolean> {
  if (role === 'leading') return false;
  const user = await trx
    .selectFrom('users')
    .select('releases_need_approval as needed')
    .where('id', '=', id)
    .executeTakeFirst();
  return user?.needed === true;
}

/** Whether the ad of a request `q` is not `a` as it was requested. */
const isChanged = sql<boolean>`(q.ad_version is distinct from date_trunc('milliseconds', a.updated_at))`;

/** Whether a request `q` was rejected lately, and its ad was neither requested nor released again since. */
const isOpen = sql<boolean>`(
  q.state = 'rejected' and q.decided_at > now() - make_interval(days => ${sql.lit(REJECTED_DAYS)})
  and not exists (select from release_requests n where n.ad_id = q.ad_id and n.requested_at > q.requested_at)
  and not exists (select from releases r where r.ad_id = q.ad_id and r.released_at > q.requested_at))`;

/** How many requests of a user were rejected lately, and not made again since. */
export const rejectedReleases = ({ id }: Scoped): RawBuilder<number> => sql<number>`
  (select count(*) from release_requests q where q.requested_by = ${id} and ${isOpen})`;

const NO_DEVICES: Release['counts'] = {
  total: 0,
  planned: 0,
  waiting: 0,
  downloading: 0,
  done: 0,
  failed: 0,
  missed: 0,
};

/** Requests as the releases that they are to become. */
const selectRequests = (db: Db, viewer: Scoped) =>
  db
    .selectFrom('release_requests as q')
    .innerJoin('ads as a', 'a.id', 'q.ad_id')
    .select(['q.id', 'q.order', 'q.devices', 'q.state', 'q.remark'])
    .select(sql<Release['ad']>`jsonb_build_object('id', a.id, 'name', a.name)`.as('ad'))
    .select(userRef<UserRef | null>(sql`q.requested_by`).as('requestedBy'))
    .select(iso(sql`q.requested_at`).as('requestedAt'))
    .select(userRef<UserRef | null>(sql`q.decided_by`).as('decidedBy'))
    .select(
      iso(sql`q.decided_at`)
        .$castTo<string | null>()
        .as('decidedAt'),
    )
    .select(sql<boolean>`q.state = 'requested' and ${isChanged}`.as('changed'))
    .where(inScope(viewer, sql`a.owner_id`));

type Row = Awaited<ReturnType<ReturnType<typeof selectRequests>['executeTakeFirstOrThrow']>>;

/** What was not approved was never released: it counts as withdrawn when that was decided. */
function toRelease({ id, ad, order, state, ...request }: Row): Release {
  const { devices, changed, requestedBy, requestedAt, decidedBy, decidedAt, remark } = request;
  const isOver = state !== 'requested';
  return {
    id,
    ad,
    operator: requestedBy,
    screen: order?.screen ?? null,
    replace: order?.replace ?? true,
    priority: order?.priority ?? 'normal',
    schedule: order?.schedule ?? null,
    campaignId: null,
    endsAt: null,
    releasedAt: requestedAt,
    withdrawnAt: isOver ? decidedAt : null,
    withdrawnBy: isOver ? decidedBy : null,
    standing: order?.standing === true,
    target: null,
    rollout: null,
    sending: null,
    counts: NO_DEVICES,
    approval: { state, devices, changed, requestedBy, requestedAt, decidedBy, decidedAt, remark },
  };
}

/** A request in scope, as the release that it is to become. */
export async function findRequest(db: Db, viewer: Scoped, id: string): Promise<Release | undefined> {
  const row = await selectRequests(db, viewer).where('q.id', '=', id).executeTakeFirst();
  return row && toRelease(row);
}

/** The user and the time of a request stand where those of a release do. */
const SORTS: Record<(typeof RELEASE_SORTS)[number], SortColumn> = {
  name: { column: sql`a.name`, type: 'name' },
  // The user may have been deleted.
  operator: { column: sql`coalesce(o.username_key, '')`, type: 'word' },
  releasedAt: { column: sql`q.requested_at`, type: 'time' },
};

interface RequestQuery extends PageQuery {
  approval: ApprovalState;
  owner?: string | undefined;
  ad?: string | undefined;
  /** Part of the ad's name. */
  q?: string | undefined;
  open?: boolean | undefined;
  sort?: string | undefined;
}

/** Requests in scope, newest first unless the query has another order. */
export async function listRequests(db: Db, viewer: Scoped, query: RequestQuery): Promise<Page<Release>> {
  let chosen = selectRequests(db, viewer).where('q.state', '=', query.approval);
  if (query.owner) chosen = chosen.where('a.owner_id', '=', query.owner);
  if (query.ad) chosen = chosen.where('q.ad_id', '=', query.ad);
  if (query.q) chosen = chosen.where('a.name', 'ilike', contains(query.q));
  if (query.open !== undefined) chosen = chosen.where(isOpen, '=', query.open);
  const sorting = sortingOf(RELEASE_SORTS, query.sort);
  const byUser = chosen.leftJoin('users as o', 'o.id', 'q.requested_by');
  const page = sorting
    ? await sorted(byUser, query, sorting, SORTS[sorting.key], sql`q.id`)
    : await newestFirst(chosen, query, sql`q.requested_at`, sql`q.id`);
  return { ...page, items: page.items.map(toRelease) };
}

const announce = (trx: Db, id: string, owner: string): Promise<void> =>
  publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [owner] });

interface Wanted {
  ad: StoredAd;
  hash: string;
  /** Null: the devices that have an earlier version get this one. */
  order: Order | null;
  devices: number;
}

/** Stores what an actor wants to release. A newer update of the devices of an ad takes the place of an earlier one. */
export async function insertRequest(
  trx: Db,
  actor: Viewer & Actor,
  { ad, hash, order, devices }: Wanted,
): Promise<Release> {
  if (order === null) {
    await sql`
      update release_requests set state = 'withdrawn', decided_at = now(), decided_by = ${actor.id}
      where ad_id = ${ad.id} and state = 'requested' and "order" is null`.execute(trx);
  }
  const id = uuidv7();
  await trx
    .insertInto('release_requests')
    .values({
      id,
      ad_id: ad.id,
      ad_version: new Date(ad.updatedAt),
      content_hash: hash,
      order: order && JSON.stringify(order),
      devices,
      requested_by: actor.id,
    })
    .execute();
  await audit(trx, actor, { action: 'releases.request', targetId: id, target: ad.name, details: { devices } });
  await announce(trx, id, ad.owner.id);
  return mustFind(await findRequest(trx, actor, id));
}

function mustFind(release: Release | undefined): Release {
  if (!release) throw new AppError('NOT_FOUND');
  return release;
}

/** What a decision needs to know of a request. */
export interface HeldRequest {
  id: string;
  adId: string;
  ownerId: string;
  name: string;
  order: Order | null;
  hash: string;
  version: string;
  state: ApprovalState;
  requestedBy: string | null;
}

/** A request in scope, held until the transaction ends unless it is only read. Throws `NOT_FOUND`. */
export async function getRequest(trx: Db, viewer: Scoped, id: string, lock: 'held' | 'read'): Promise<HeldRequest> {
  const { rows } = await sql<HeldRequest>`
    select q.id, q.ad_id as "adId", a.owner_id as "ownerId", a.name, q."order", q.content_hash as hash,
      ${iso(sql`q.ad_version`)} as version, q.state, q.requested_by as "requestedBy"
    from release_requests q join ads a on a.id = q.ad_id
    where q.id = ${id} and ${inScope(viewer, sql`a.owner_id`)}
    ${lock === 'held' ? sql`for no key update of q` : sql``}`.execute(trx);
  const [request] = rows;
  if (!request) throw new AppError('NOT_FOUND');
  return request;
}

/** Throws `CHANGED_MEANWHILE` for what somebody else decided, `NOT_APPROVABLE` for what was taken back. */
function requireWaiting({ state }: Pick<HeldRequest, 'state'>): void {
  switch (state) {
    case 'requested':
      return;
    case 'approved':
    case 'rejected':
      throw new AppError('CHANGED_MEANWHILE', { state });
    case 'withdrawn':
      throw new AppError('NOT_APPROVABLE', { reason: state });
  }
}

/** Holds a request for a decision of the actor. Throws `NOT_FOUND`, `CHANGED_MEANWHILE`, `NOT_APPROVABLE`. */
export async function holdWaiting(trx: Db, actor: Actor, id: string): Promise<HeldRequest> {
  const request = await getRequest(trx, actor, id, 'held');
  requireWaiting(request);
  // Colleagues act as the account.
  if (request.requestedBy === actor.id) throw new AppError('NOT_APPROVABLE', { reason: 'own' });
  return request;
}

/** Holds standing releases if an approved request is to change them: before the request, as every release does. */
export async function lockForRelease(trx: Db, order: Order | null): Promise<void> {
  if (order === null || order.standing) await lockStanding(trx);
}

/** Notes what became of a request. */
export async function decideRequest(
  trx: Db,
  actor: Pick<Actor, 'id'>,
  { id, ownerId }: Pick<HeldRequest, 'id' | 'ownerId'>,
  state: Exclude<ApprovalState, 'requested'>,
  remark: string | null = null,
): Promise<void> {
  await trx
    .updateTable('release_requests')
    .set({ state, remark, decided_by: actor.id, decided_at: new Date() })
    .where('id', '=', id)
    .execute();
  await announce(trx, id, ownerId);
}

/** Rejects a request with a remark for the customer. */
export const rejectRequest = (db: Db, viewer: Viewer, id: string, remark: string): Promise<Release> =>
  actingAs(db, viewer, { role: 'leading' }, async (trx, actor) => {
    await holdUsers(
      trx,
      sql`select a.owner_id from release_requests q join ads a on a.id = q.ad_id where q.id = ${id}`,
    );
    const request = await holdWaiting(trx, actor, id);
    await decideRequest(trx, actor, request, 'rejected', remark);
    await audit(trx, actor, {
      ...{ action: 'releases.reject', targetId: id, target: request.name, scopeId: request.ownerId },
      details: { remark },
    });
    return mustFind(await findRequest(trx, actor, id));
  });

/** Takes a request back; undefined when there is none with this id. One that was decided stays as it is. */
export async function withdrawRequest(trx: Db, actor: Viewer & Actor, id: string): Promise<Release | undefined> {
  if (!(await findRequest(trx, actor, id))) return undefined;
  const request = await getRequest(trx, actor, id, 'held');
  if (request.state === 'requested') {
    await decideRequest(trx, actor, request, 'withdrawn');
    await audit(trx, actor, { action: 'releases.withdraw', targetId: id, target: request.name });
  }
  return findRequest(trx, actor, id);
}

/** Whether something happened so long ago that it cannot be undone. */
const isOld = (at: string | null): boolean => at === null || Date.parse(at) < Date.now() - UNDO_SECONDS * 1000;

/**
 * Undoes the last step of the actor with a request: a waiting one is taken back, and one that was taken back waits again
 * unless a newer request took its place.
 * @throws `UNDO_OVER`
 */
export async function undoRequest(trx: Db, actor: Viewer & Actor, id: string): Promise<Release> {
  const request = await getRequest(trx, actor, id, 'held');
  const { approval } = mustFind(await findRequest(trx, actor, id));
  if (request.state === 'requested' && request.requestedBy === actor.id && !isOld(approval?.requestedAt ?? null)) {
    return mustFind(await withdrawRequest(trx, actor, id));
  }
  const isMine = request.state === 'withdrawn' && approval?.decidedBy?.id === actor.id;
  if (!isMine || isOld(approval.decidedAt) || (await isReplaced(trx, request))) throw new AppError('UNDO_OVER');
  await trx
    .updateTable('release_requests')
    .set({ state: 'requested', decided_by: null, decided_at: null })
    .where('id', '=', id)
    .execute();
  await announce(trx, id, request.ownerId);
  await audit(trx, actor, { action: 'releases.restore', targetId: id, target: request.name });
  return mustFind(await findRequest(trx, actor, id));
}

/** Whether a newer update of the devices of its ad waits in the place of a request. */
async function isReplaced(trx: Db, { adId, order }: HeldRequest): Promise<boolean> {
  if (order !== null) return false;
  const { rows } = await sql`
    select from release_requests where ad_id = ${adId} and state = 'requested' and "order" is null`.execute(trx);
  return rows.length > 0;
}

/** A user is deleted: what it requested is taken back. */
export const withdrawRequestsOf = (trx: Db, userId: string): Promise<unknown> =>
  trx
    .updateTable('release_requests')
    .set({ state: 'withdrawn', decided_at: new Date() })
    .where('requested_by', '=', userId)
    .where('state', '=', 'requested')
    .execute();
