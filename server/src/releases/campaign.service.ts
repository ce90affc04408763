import './releases.tables.ts';
import type { Schedule } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { raiseRevision, tellDevices } from '../devices/devices.service.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import type { StoredAd } from './order.ts';
import { type Frozen, insertRelease, ONE_STEP } from './releases.service.ts';
import { lockDevices } from './devices.lock.ts';
import { lockReleases, noteUnmatched, takeBack, withdrawAll } from './withdraw.service.ts';

/** A frozen ad that is shown in a campaign. */
export interface Creative {
  ad: StoredAd;
  frozen: Frozen;
}

const idsOf = (ids: readonly string[]): RawBuilder<unknown> => sql`select unnest(${ids}::uuid[])`;

/** Holds devices until the transaction ends: whatever is planned for them waits, in the order of their ids. */
export const holdDevices = (trx: Db, ids: readonly string[]): Promise<unknown> => lockDevices(trx, idsOf(ids));

/** The same for devices that join or leave a campaign, after its releases. */
export async function holdCarriers(
  trx: Db,
  releaseIds: readonly string[],
  deviceIds: readonly string[],
): Promise<void> {
  await lockReleases(trx, releaseIds);
  await holdDevices(trx, deviceIds);
}

/**
 * Releases each creative of a campaign to the same devices, which the caller holds. Returns the ids of the releases in the
 * order of the creatives. They show on the main screen only: a spot is a single play of a device.
 */
export async function releaseCampaign(
  trx: Db,
  viewer: Pick<Viewer, 'id'>,
  { id, schedule }: { id: string; schedule: Schedule },
  creatives: readonly Creative[],
  deviceIds: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { ad, frozen } of creatives) {
    const order = { ...ONE_STEP, screen: 'main', replace: false, priority: 'normal', schedule } as const;
    ids.push(
      await insertRelease(trx, { operatorId: viewer.id, standingBy: null }, ad, frozen, order, { campaignId: id }),
    );
  }
  await joinCampaign(trx, viewer, ids, deviceIds);
  const owners = [...new Set(creatives.map(({ ad }) => ad.owner.id))];
  await publish(trx, { topic: 'changed', kind: 'release', ids, owners });
  return ids;
}

/** Puts releases of a campaign on further devices, which the caller holds. */
export async function joinCampaign(
  trx: Db,
  viewer: Pick<Viewer, 'id'> | undefined,
  releaseIds: readonly string[],
  deviceIds: readonly string[],
): Promise<void> {
  if (releaseIds.length === 0 || deviceIds.length === 0) return;
  const touched = await raiseRevision(trx, sql<boolean>`d.id = any(${deviceIds}::uuid[])`, viewer?.id);
  await sql`
    insert into release_devices (release_id, device_id, stage, revision, started_at)
    select r.id, t.id, 0, t.revision, now() from unnest(${releaseIds}::uuid[]) r(id)
    cross join unnest(${touched.map(({ id }) => id)}::uuid[], ${touched.map(({ revision }) => revision)}::bigint[])
      t(id, revision)
    on conflict (release_id, device_id) do update set revision = excluded.revision,
      -- Plays before it left may be reported later.
      started_at = least(release_devices.started_at, excluded.started_at), withdrawn_at = null, unmatched = false,
      missed = false`.execute(trx);
  await tellDevices(trx, touched);
}

/**
 * Takes releases of a campaign back from devices that no longer match it, which the caller holds: those that match again
 * may rejoin it.
 */
export async function leaveCampaign(
  trx: Db,
  viewer: Pick<Viewer, 'id'>,
  releaseIds: readonly string[],
  deviceIds: readonly string[],
): Promise<void> {
  const left = sql<boolean>`(r.id = any(${releaseIds}::uuid[]) and rd.device_id = any(${deviceIds}::uuid[]))`;
  const taken = await takeBack(trx, viewer.id, left);
  await noteUnmatched(trx, left);
  await tellDevices(trx, await raiseRevision(trx, [...new Set(taken.map(({ deviceId }) => deviceId))]));
}

/** The campaigns that still show an ad. */
export async function campaignsWith(trx: Db, adId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct campaign_id as id from releases
    where ad_id = ${adId} and campaign_id is not null and withdrawn_at is null`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Withdraws all that a campaign still shows. */
export const endCampaign = (trx: Db, viewer: Pick<Viewer, 'id'> | undefined, campaignId: string): Promise<number> =>
  withdrawAll(trx, viewer, sql<boolean>`campaign_id = ${campaignId}`);
