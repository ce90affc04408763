import './releases.tables.ts';
import { AppError, type DeviceChoice, type DeviceFilter, type Release } from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import {
  holdingPresent,
  matches,
  nextRevisions,
  raiseRevision,
  resolveFilter,
  tellDevices,
  type Touched,
} from '../devices/devices.service.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { inScope, inScopeEach, type Scoped } from '../platform/auth/scope.ts';
import type { ReleaseLinks } from './links.ts';
import { type Frozen, type Named, ONE_STEP, type Order, type People, type StoredAd } from './order.ts';
import { findRelease } from './releases.queries.ts';
import { findRequest } from './requests.service.ts';
import { queueSend } from './sending.service.ts';
import { findTarget, insertTarget } from './standing.service.ts';

export type { ReleaseLinks };

export { type Frozen, ONE_STEP, type Order, type StoredAd };

/** A release in scope, or what is requested to become one. Throws `NOT_FOUND`. */
export async function getRelease(db: Db, viewer: Scoped, id: string): Promise<Release> {
  const release = (await findRelease(db, viewer, id)) ?? (await findRequest(db, viewer, id));
  if (!release) throw new AppError('NOT_FOUND');
  return release;
}

/** Stores a release of a frozen ad on devices, in the transaction that froze it. The caller records and announces it. */
export async function createRelease(
  trx: Db,
  viewer: Scoped,
  ad: StoredAd,
  frozen: Frozen,
  order: Order,
  named: Named = {},
) {
  if (ad.dual && !order.screen) throw new AppError('SCREEN_REQUIRED');
  const target = order.standing ? await findTarget(trx, viewer, order.devices) : undefined;
  const people = { operatorId: viewer.id, standingBy: target ? viewer.id : null };
  // An ad that is not made for two screens shows on both.
  const shown = { ...order, screen: ad.dual ? order.screen : null };
  const id = await insertRelease(trx, people, ad, frozen, shown, named);
  if (target) await insertTarget(trx, id, target);
  return { id, ...(await addDevices(trx, viewer, id, order)) };
}

/** Stores a release of a frozen ad, without devices. Returns its id. */
export async function insertRelease(
  trx: Db,
  { operatorId, standingBy }: People,
  ad: StoredAd,
  frozen: Frozen,
  order: Omit<Order, 'devices' | 'standing'>,
  { id = uuidv7(), campaignId }: Named = {},
): Promise<string> {
  await trx
    .insertInto('releases')
    .values({
      id,
      ad_id: ad.id,
      ad_name: ad.name,
      owner_id: ad.owner.id,
      operator_id: operatorId,
      standing_by: standingBy,
      ad_version: new Date(ad.updatedAt),
      screen: order.screen ?? null,
      replace: order.replace,
      priority: order.priority,
      schedule: order.schedule ? JSON.stringify(order.schedule) : null,
      ends_at: order.endsAt ?? null,
      programme: JSON.stringify(frozen.programme),
      campaign_id: campaignId ?? null,
      ...(order.stages && {
        stages: JSON.stringify(order.stages),
        go_on_at: order.goOnAt,
        stop_above: order.stopAbove,
        rollout: 'running',
      }),
    })
    .execute();
  await insertFiles(trx, [id], frozen.files);
  return id;
}

/** Sends a frozen ad to devices, in the transaction that froze it: all of them or none. */
export async function sendRelease(
  trx: Db,
  viewer: Viewer,
  ad: StoredAd,
  frozen: Frozen,
  order: Order,
): Promise<Release> {
  const { id, total, touched } = await createRelease(trx, viewer, ad, frozen, order);
  await audit(trx, viewer, {
    action: 'ads.release',
    targetId: id,
    target: ad.name,
    details: { devices: total, ...(order.standing && { standing: true }) },
  });
  await tellDevices(trx, touched);
  await publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [ad.owner.id] });
  return getRelease(trx, viewer, id);
}

export async function insertFiles(trx: Db, releaseIds: readonly string[], files: Frozen['files']): Promise<void> {
  const rows = files.map(({ id, sha256, bytes, mime }, position) => ({ file_id: id, sha256, bytes, mime, position }));
  await sql`
    insert into release_files (release_id, file_id, sha256, bytes, mime, position)
    select r.id, f.file_id, f.sha256, f.bytes, f.mime, f.position
    from unnest(${releaseIds}::uuid[]) r(id), jsonb_populate_recordset(null::release_files, ${JSON.stringify(rows)}::jsonb) f
  `.execute(trx);
}

/** The filter that a choice of devices stands for; empty for ids. */
function filterOf(choice: DeviceChoice): DeviceFilter {
  if ('filter' in choice) return choice.filter;
  return 'group' in choice ? { group: choice.group } : {};
}

/** Whether a release may reach many devices after its call was answered. */
const isSentLater = ({ stages }: Order): boolean => !stages;

/** The devices `d` that somebody chooses, and their ids if they were named one by one. */
async function chosenBy(trx: Db, viewer: Scoped, choice: DeviceChoice) {
  const ids = 'ids' in choice ? [...new Set(choice.ids)] : undefined;
  const chosen = ids
    ? sql<boolean>`(d.id = any(${ids}::uuid[]) and ${inScope(viewer, sql`d.owner_id`)})`
    : matches(viewer, await resolveFilter(trx, viewer, filterOf(choice)));
  return { ids, chosen };
}

/** How many devices a release would go to now. Throws what a release throws. */
export async function countChosen(trx: Db, viewer: Scoped, ad: StoredAd, order: Order): Promise<number> {
  if (ad.dual && !order.screen) throw new AppError('SCREEN_REQUIRED');
  if (order.standing) await findTarget(trx, viewer, order.devices);
  const { ids, chosen } = await chosenBy(trx, viewer, order.devices);
  const { rows } = await sql<{ count: number }>`select count(*) as count from devices_now d where ${chosen}`.execute(
    trx,
  );
  const count = rows[0]?.count ?? 0;
  if (ids && count !== ids.length) throw new AppError('NOT_FOUND');
  if (count === 0 && !order.standing) throw new AppError('NO_DEVICES');
  return count;
}

/**
 * Puts the release on every chosen device, or leaves it to a job if they are many, those of later steps as planned; one outside the scope refuses them all.
 * The first steps get devices that are online, so that they can end; which ones, differs from release to release.
 * Devices are locked in order: two releases to the same ones wait for each other.
 */
async function addDevices(trx: Db, viewer: Scoped, releaseId: string, order: Order) {
  const { ids, chosen } = await chosenBy(trx, viewer, order.devices);
  if (isSentLater(order)) {
    const total = await queueSend(trx, releaseId, chosen);
    if (total !== undefined) {
      if (ids && total !== ids.length) throw new AppError('NOT_FOUND');
      return { total, touched: [] };
    }
  }
  const percents = order.stages?.map(({ percent }) => percent) ?? [100];
  const { rows: chosenNow } = await sql<Touched & { stage: number }>`
    select id, owner_id, (select count(*) from unnest(${percents}::int[]) percent
      where place > ceil(percent * total / 100.0)) as stage
    from (select d.id, d.owner_id, count(*) over () as total,
        row_number() over (order by d.online desc, md5(d.id::text || ${releaseId}::text)) as place
      from devices_now d where ${chosen}) placed`.execute(trx);
  // Those that change now are locked below; the others are, at least, not deleted.
  const placed = order.stages || order.endsAt ? await holdPresent(trx, chosenNow) : chosenNow;
  const first = placed.filter(({ stage }) => stage === 0).map(({ id }) => id);
  // The scope once more: a device that left it while this waited for it is left out.
  const isMine = sql<boolean>`d.id = any(${first}::uuid[]) and ${inScopeEach(viewer, sql`d.owner_id`)}`;
  // A takeover that starts reaches its devices before their revisions: see `settleTakeovers`.
  const raised = order.endsAt ? await nextRevisions(trx, isMine) : await raiseRevision(trx, isMine, viewer.id);
  const begun = new Map(raised.map(({ id, revision }) => [id, revision]));
  const added = placed.filter(({ id, stage }) => stage > 0 || begun.has(id));
  if (ids && added.length !== ids.length) throw new AppError('NOT_FOUND');
  if (added.length === 0 && !order.standing) throw new AppError('NO_DEVICES');
  // A takeover is settled once in any case: a device that another release changes meanwhile has its revision already.
  const begins = order.endsAt ? sql`now() - interval '1 millisecond'` : sql`now()`;
  await sql`
    insert into release_devices (release_id, device_id, stage, revision, started_at)
    select ${releaseId}::uuid, c.id, c.stage, c.revision, case when c.revision is not null then ${begins} end
    from unnest(${added.map(({ id }) => id)}::uuid[], ${added.map(({ stage }) => stage)}::int[],
      ${added.map(({ id }) => begun.get(id) ?? null)}::bigint[]) c(id, stage, revision)`.execute(trx);
  return { total: added.length, touched: added.filter(({ stage }) => stage === 0) };
}

/** Those of these devices that nobody deleted meanwhile; they are not until the transaction ends. */
async function holdPresent<T extends Touched>(trx: Db, devices: readonly T[]): Promise<T[]> {
  const { rows } = await sql<{ id: string }>`
    with ${holdingPresent(sql<boolean>`d.id = any(${devices.map(({ id }) => id)}::uuid[])`)}
    select id from present`.execute(trx);
  const present = new Set(rows.map(({ id }) => id));
  return devices.filter(({ id }) => present.has(id));
}
