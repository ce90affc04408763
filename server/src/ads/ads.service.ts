import {
  type Ad,
  type AdBody,
  type AdItem,
  AppError,
  filesOfItem,
  FILES_A_REGION_MAX,
  kindsFor,
  regionsOfSplit,
  type Region,
  regionEntries,
  type Release,
} from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Db, Tables } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import { campaignsWith } from '../releases/campaign.service.ts';
import { type Order, type ReleaseLinks, sendRelease, type StoredAd } from '../releases/releases.service.ts';
import { holdOwnerOfGroup } from '../releases/standing.service.ts';
import { withdrawAll } from '../releases/withdraw.service.ts';
import { isTakingOver } from '../releases/takeover.service.ts';
import { type Renewed, renewReleases } from '../releases/renew.service.ts';
import { needsApproval } from '../releases/requests.service.ts';
import { type ChosenFile, findAd, findFiles, findStoredAd } from './ads.queries.ts';
import { requestRelease, requestUpdate } from './approval.service.ts';
import { contentHash, frozenAd, isContent } from './freeze.ts';

export { contentHash, frozenAd, isContent };

type Parsed = Required<Omit<AdBody, 'ownerId' | 'regions'>> & {
  ownerId?: string | undefined;
  regions: Partial<Record<Region, AdItem[]>>;
};

export async function getAd(deps: Deps, viewer: Viewer, id: string, db: Db = deps.db): Promise<Ad> {
  const ad = await findAd(db, viewer, deps.signer, id);
  if (!ad) throw new AppError('NOT_FOUND');
  return ad;
}

/** An ad in scope without how far it reaches. Throws `NOT_FOUND`. */
export async function getStoredAd(deps: Deps, viewer: Viewer, id: string, db: Db = deps.db): Promise<StoredAd> {
  const ad = await findStoredAd(db, viewer, deps.signer, id);
  if (!ad) throw new AppError('NOT_FOUND');
  return ad;
}

/**
 * Refuses what cannot be shown: unknown regions, too many files, foreign, unfitting or unfinished ones.
 * The files stay until the transaction ends; they are locked before the ad, as their deletion does.
 */
async function check(db: Db, viewer: Viewer, body: Parsed): Promise<void> {
  const layout = regionsOfSplit(body.orientation, body.split);
  if (!layout) throw invalidField('split', 'invalid');
  const entries = regionEntries(body.regions);
  if (entries.length === 0) throw new AppError('EMPTY_AD');
  for (const [region, items] of entries) {
    if (!layout.some((place) => place.region === region)) throw invalidField(`regions.${region}`, 'invalid');
    if (items.length > FILES_A_REGION_MAX) throw new AppError('TOO_MANY_FILES', { max: FILES_A_REGION_MAX });
  }
  const ids = [...new Set(entries.flatMap(([, items]) => items.flatMap(filesOfItem)))];
  const files = new Map((await findFiles(db, viewer, ids)).map((file) => [file.id, file]));
  for (const [region, items] of entries) {
    for (const fileId of items.flatMap(filesOfItem)) checkFile(body, region, fileId, files.get(fileId));
  }
}

function checkFile(body: Parsed, region: Region, fileId: string, file: ChosenFile | undefined): void {
  if (!file) throw new AppError('FILE_GONE', { fileId });
  const fits = kindsFor(body.orientation, body.split, region).some(
    (row) => row.orientation === file.orientation && row.kind === file.kind,
  );
  if (!fits) throw new AppError('WRONG_KIND', { name: file.name, region });
  if (file.state !== 'ready') throw new AppError('FILE_NOT_READY', { name: file.name });
}

const columns = (body: Parsed) => ({
  name: body.name,
  orientation: body.orientation,
  split: body.split,
  dual: body.dual,
  play_mode: body.playMode,
  show_clock: body.showClock,
  fit: body.fit,
  muted: body.muted,
  background: body.background,
  qr: body.qr && JSON.stringify(body.qr),
  updated_at: new Date(),
});

/** The columns of an item, by what it is. */
function itemColumns(item: AdItem) {
  switch (item.kind) {
    case 'file':
      return { kind: item.kind, file_id: item.fileId, seconds: item.seconds ?? null };
  }
}

async function insertItems(trx: Db, adId: string, regions: Parsed['regions']): Promise<void> {
  const rows = regionEntries(regions).flatMap(([region, items]) =>
    items.map((item, position) => ({
      ad_id: adId,
      region,
      position,
      ...itemColumns(item),
    })),
  );
  await trx.insertInto('ad_items').values(rows).execute();
}

export async function createAd(deps: Deps, viewer: Viewer, body: Parsed): Promise<Ad> {
  const ownerId = body.ownerId ?? viewer.id;
  return actingAs(deps.db, viewer, { owners: [ownerId] }, async (trx, actor) => {
    await check(trx, actor, body);
    const id = uuidv7();
    await trx
      .insertInto('ads')
      .values({ id, owner_id: ownerId, ...columns(body) })
      .execute();
    await insertItems(trx, id, body.regions);
    await audit(trx, actor, { action: 'ads.create', targetId: id, target: body.name });
    return getAd(deps, actor, id, trx);
  });
}

/**
 * Refuses another owner for an ad that is released: whoever has the ad may end what plays on the former owner's devices.
 * Releases that are under way come first.
 */
async function requireUnreleased(trx: Db, id: string, ownerId: string): Promise<void> {
  const moving = await trx
    .selectFrom('ads')
    .select('live_releases')
    .where('id', '=', id)
    .where('owner_id', '<>', ownerId)
    .forUpdate()
    .executeTakeFirst();
  if (moving && moving.live_releases > 0) throw invalidField('ownerId', 'invalid');
}

/** Updates an ad unless another user changed it after `updatedAt`. Existing releases are not affected. */
export async function updateAd(
  deps: Deps,
  viewer: Viewer,
  id: string,
  body: Parsed & { updatedAt: string },
): Promise<Ad> {
  const { ownerId } = body;
  return actingAs(deps.db, viewer, { owners: ownerId ? [ownerId] : [] }, async (trx, actor) => {
    await getStoredAd(deps, actor, id, trx);
    await check(trx, actor, body);
    if (ownerId) await requireUnreleased(trx, id, ownerId);
    const { numUpdatedRows } = await trx
      .updateTable('ads')
      .set({ ...columns(body), ...(ownerId && { owner_id: ownerId }) })
      .where('id', '=', id)
      .where(sql<boolean>`date_trunc('milliseconds', updated_at) = ${body.updatedAt}::timestamptz`)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new AppError('CHANGED_MEANWHILE');
    await trx.deleteFrom('ad_items').where('ad_id', '=', id).execute();
    await insertItems(trx, id, body.regions);
    await audit(trx, actor, { action: 'ads.change', targetId: id, target: body.name });
    return getAd(deps, actor, id, trx);
  });
}

/** Notes a change of every ad that shows one of these files: they are about to be deleted, and playlists lose them. */
export const touchAdsShowing = (trx: Db, fileIds: string[]): Promise<unknown> =>
  sql`update ads set updated_at = now() where id in (
    select ad_id from ad_items where file_id = any(${fileIds}::uuid[]))`.execute(trx);

const ITEM_COLUMNS: Record<Exclude<keyof Tables['ad_items'], 'ad_id'>, true> = {
  region: true,
  position: true,
  kind: true,
  file_id: true,
  seconds: true,
};
const COPIED = sql.join(Object.keys(ITEM_COLUMNS).map((name) => sql.ref(name)));

/** Makes another ad with the same content for the same owner. */
export const copyAd = (deps: Deps, viewer: Viewer, id: string, name: string): Promise<Ad> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    await getStoredAd(deps, actor, id, trx);
    const copy = uuidv7();
    await sql`
      insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit, muted, background, qr)
      select ${copy}::uuid, owner_id, ${name}, orientation, split, dual, play_mode, show_clock, fit, muted, background, qr
      from ads where id = ${id}`.execute(trx);
    await sql`
      insert into ad_items (ad_id, ${COPIED}) select ${copy}::uuid, ${COPIED} from ad_items where ad_id = ${id}`.execute(
      trx,
    );
    await audit(trx, actor, { action: 'ads.create', targetId: copy, target: name });
    return getAd(deps, actor, copy, trx);
  });

/**
 * Deletes an ad and takes its releases back. Only those who may end a takeover or a booked campaign with it delete it.
 * Throws `LEADING_ONLY`.
 */
export const deleteAd = (deps: Deps, links: ReleaseLinks, viewer: Viewer, id: string): Promise<void> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    // A release of it that is under way comes first, and is taken back with the others; so does another deletion.
    await trx.selectFrom('ads').select('id').where('id', '=', id).forUpdate().execute();
    const ad = await getStoredAd(deps, actor, id, trx);
    if (actor.role !== 'leading' && (await isTakingOver(trx, id))) throw new AppError('LEADING_ONLY');
    for (const campaign of await campaignsWith(trx, id)) await links.requireMayEnd(trx, actor, campaign);
    await withdrawAll(trx, actor, sql<boolean>`ad_id = ${id}`);
    await trx.deleteFrom('ads').where('id', '=', id).execute();
    await audit(trx, actor, { action: 'ads.delete', targetId: id, target: ad.name });
  });

/** Freezes an ad and sends it to devices, all or none, or requests it; its files stay until that is done. */
export const releaseAd = (
  deps: Deps,
  viewer: Viewer,
  id: string,
  order: Order & { updatedAt?: string | undefined },
): Promise<Release> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    await holdOwnerOfGroup(trx, order.devices);
    const { ad, frozen } = await frozenAd(deps, trx, actor, id, order.updatedAt);
    if (await needsApproval(trx, actor)) return requestRelease(deps, trx, actor, { ad, frozen }, order);
    return sendRelease(trx, actor, ad, frozen, order);
  });

/** Brings the devices in scope that have an earlier version of an ad to the stored one; done twice, it changes nothing more. */
export const updateDevices = (deps: Deps, viewer: Viewer, id: string, updatedAt?: string): Promise<Renewed> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    const { ad, frozen } = await frozenAd(deps, trx, actor, id, updatedAt);
    if (await needsApproval(trx, actor)) {
      const request = await requestUpdate(deps, trx, actor, { ad, frozen });
      return { devices: 0, releases: request ? [request] : [] };
    }
    const renewed = await renewReleases(trx, actor, ad, frozen);
    const { devices, releases } = renewed;
    if (releases.length > 0) {
      await audit(trx, actor, { action: 'ads.updateDevices', targetId: id, target: ad.name, details: { devices } });
    }
    return renewed;
  });

/** Gives all ads of a user to another one. */
export const handOverAds = (trx: Db, from: string, to: string): Promise<unknown> =>
  trx.updateTable('ads').set({ owner_id: to }).where('owner_id', '=', from).execute();
