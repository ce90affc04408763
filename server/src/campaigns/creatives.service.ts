import './campaigns.tables.ts';
import { AppError, showingMs, type ProgrammeItem, regionEntries, turnMs } from '@ams/contract';
import { sql } from 'kysely';
import { contentHash, frozenAd, getStoredAd, isContent } from '../ads/ads.service.ts';
import { queueUnchecked } from '../media/checks.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { Creative } from '../releases/campaign.service.ts';
import type { StoredAd } from '../releases/releases.service.ts';

/** A creative as it would play now. */
export interface FrozenCreative extends Creative {
  position: number;
  /** The length of its round. */
  spotMs: number;
}

/** The mean of the rounds, which is what a spot of the rotation takes. */
export const meanSpotMs = (rounds: readonly number[]): number =>
  Math.ceil(rounds.reduce((sum, round) => sum + round, 0) / Math.max(rounds.length, 1));

const asItems = (ad: StoredAd): [string, ProgrammeItem[]][] =>
  regionEntries(ad.regions).map(([region, items]) => [
    region,
    items.map((item) => ({ kind: 'file', sha256: '', media: item.media, durationMs: showingMs(item) })),
  ]);

/** The length of a spot of these ads as they are now. Throws `NOT_FOUND`, `EMPTY_AD`. */
export async function spotOf(deps: Deps, viewer: Viewer, adIds: readonly string[]): Promise<number> {
  const ads = await Promise.all(adIds.map((id) => getStoredAd(deps, viewer, id)));
  const spotMs = meanSpotMs(ads.map((ad) => turnMs({ ...ad, regions: Object.fromEntries(asItems(ad)) })));
  if (spotMs === 0) throw new AppError('EMPTY_AD');
  return spotMs;
}

/** These ads in scope, of one orientation. Throws `NOT_FOUND`, `INVALID` when they differ. */
export async function findCreativeAds(
  deps: Deps,
  viewer: Viewer,
  adIds: readonly string[],
  db: Db,
): Promise<StoredAd[]> {
  const ads: StoredAd[] = [];
  for (const id of adIds) ads.push(await getStoredAd(deps, viewer, id, db));
  if (new Set(ads.map(({ orientation }) => orientation)).size > 1) throw invalidField('adIds', 'campaign.orientation');
  return ads;
}

/** Stores the creatives of a campaign that is written. */
export async function setCreatives(trx: Db, campaignId: string, ads: readonly StoredAd[]): Promise<void> {
  await trx.deleteFrom('campaign_creatives').where('campaign_id', '=', campaignId).execute();
  const rows = ads.map(({ id, name }, position) => ({ campaign_id: campaignId, position, ad_id: id, ad_name: name }));
  await trx.insertInto('campaign_creatives').values(rows).execute();
}

interface CreativeRow {
  position: number;
  adId: string | null;
  version: string | null;
  hash: string | null;
}

async function rowsOf(db: Db, campaignId: string): Promise<CreativeRow[]> {
  const { rows } = await sql<CreativeRow>`
    select k.position, k.ad_id as "adId", k.content_hash as hash,
      to_char(k.ad_version at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as version
    from campaign_creatives k where k.campaign_id = ${campaignId} order by k.position`.execute(db);
  return rows;
}

async function freezeOne(
  deps: Deps,
  trx: Db,
  viewer: Viewer,
  { position, adId }: CreativeRow,
): Promise<FrozenCreative> {
  if (adId === null) throw new AppError('EMPTY_AD');
  const { ad, frozen } = await frozenAd(deps, trx, viewer, adId, undefined);
  return { ad, frozen, position, spotMs: turnMs(frozen.programme) };
}

/** Freezes all creatives of a campaign as they are now; their ads and files stay until the transaction ends. */
export async function freezeCreatives(
  deps: Deps,
  trx: Db,
  viewer: Viewer,
  campaignId: string,
): Promise<FrozenCreative[]> {
  const creatives: FrozenCreative[] = [];
  for (const row of await rowsOf(trx, campaignId)) creatives.push(await freezeOne(deps, trx, viewer, row));
  if (creatives.some(({ spotMs }) => spotMs === 0)) throw new AppError('EMPTY_AD');
  return creatives;
}

/** Whether frozen creatives are what was requested, to the last byte of content. */
export async function isAsRequested(
  trx: Db,
  campaignId: string,
  creatives: readonly FrozenCreative[],
): Promise<boolean> {
  const rows = await rowsOf(trx, campaignId);
  return rows.every(({ version, hash }, index) => {
    const creative = creatives[index];
    return creative !== undefined && isContent(creative.frozen, hash) && creative.ad.updatedAt === version;
  });
}

/** Somebody is about to judge these creatives: what content checks have not seen yet comes first. */
export const checkSoon = (deps: Deps, trx: Db, creatives: readonly FrozenCreative[]): Promise<void> =>
  queueUnchecked(
    { ...deps, db: trx },
    creatives.flatMap(({ frozen }) => frozen.files.map(({ id }) => id)),
  );

/** Stores what was frozen: the version, hash and length of each creative, and its release if there is one. */
export async function noteCreatives(
  trx: Db,
  campaignId: string,
  creatives: readonly FrozenCreative[],
  releaseIds: readonly string[] = [],
): Promise<void> {
  for (const [index, { position, ad, frozen, spotMs }] of creatives.entries()) {
    await trx
      .updateTable('campaign_creatives')
      .set({
        ad_name: ad.name,
        ad_version: new Date(ad.updatedAt),
        content_hash: contentHash(frozen),
        spot_ms: spotMs,
        release_id: releaseIds[index] ?? null,
      })
      .where('campaign_id', '=', campaignId)
      .where('position', '=', position)
      .execute();
  }
}
