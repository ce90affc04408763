import './releases.tables.ts';
import { type DefaultContent, type NamedContent, type Orientation } from '@ams/contract';
import { sql } from 'kysely';
import type { AuditActor } from '../platform/auth/audit.ts';
import { type Db, iso } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { lockAdsOf } from './ads.lock.ts';
import { playingOn, type StoredAd } from './order.ts';
import { type Frozen, insertRelease, ONE_STEP } from './releases.service.ts';
import { withdrawAll } from './withdraw.service.ts';
import { isRenewable } from './renew.service.ts';
import { lockStanding } from './standing.lock.ts';
import { insertTarget, matchDefaults } from './standing.service.ts';

/** The ads that a user named for devices that have nothing else to show. */
export async function findDefaultContent(db: Db, userId: string): Promise<DefaultContent> {
  const { rows } = await sql<NamedContent & { orientation: Orientation }>`
    select s.orientation, r.id as "releaseId", jsonb_build_object('id', r.ad_id, 'name', r.ad_name) as ad,
      ${iso(sql`r.released_at`)} as "namedAt", ${isRenewable(sql`a.updated_at`, sql`a.orientation`)} as "isOutdated"
    from releases r join standing_releases s on s.release_id = r.id join ads a on a.id = r.ad_id
    where r.priority = 'default' and r.standing_by = ${userId} and r.withdrawn_at is null`.execute(db);
  const named = (wanted: Orientation): NamedContent | null => {
    const row = rows.find(({ orientation }) => orientation === wanted);
    if (!row) return null;
    const { orientation: _orientation, ...content } = row;
    return content;
  };
  return { vertical: named('vertical'), horizontal: named('horizontal') };
}

/**
 * Locks the ads of the default content of a user and the one that is named, before standing releases. People who name
 * them at once wait for each other first: the one who waits for an ad would not hold the one that was named meanwhile.
 */
export async function lockDefaults(trx: Db, userId: string, adId: string | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('default content'), hashtext(${userId}))`.execute(trx);
  await lockAdsOf(
    trx,
    sql`select ad_id from releases where priority = 'default' and standing_by = ${userId} and withdrawn_at is null
      union all select ${adId}::uuid`,
  );
}

/**
 * Sets the default content of an orientation for the devices at and below a leading user; null removes it, and devices
 * get that of the next user above. The caller holds `lockDefaults`. Answers whether that changes anything.
 */
export async function nameDefault(
  trx: Db,
  operator: AuditActor,
  userId: string,
  orientation: Orientation,
  named: { ad: StoredAd; frozen: Frozen } | null,
): Promise<boolean> {
  await lockStanding(trx);
  const { [orientation]: before } = await findDefaultContent(trx, userId);
  if (named === null && before === null) return false;
  if (named && before?.ad.id === named.ad.id && !before.isOutdated) return false;
  if (named) await insertDefault(trx, userId, orientation, named.ad, named.frozen);
  // Devices that lose the former content get the new one.
  if (before) await withdrawAll(trx, operator, sql<boolean>`id = ${before.releaseId}`);
  else await matchDefaults(trx, [userId]);
  return true;
}

/** A release that stands in the user's name, so that it is nobody else's when the person who named it is gone. */
async function insertDefault(
  trx: Db,
  userId: string,
  orientation: Orientation,
  ad: StoredAd,
  frozen: Frozen,
): Promise<void> {
  const id = await insertRelease(trx, { operatorId: userId, standingBy: userId }, ad, playingOn(frozen), {
    ...ONE_STEP,
    screen: null,
    replace: true,
    priority: 'default',
  });
  await insertTarget(trx, id, { groupId: null, scopeId: userId, filter: { orientation }, further: null });
  await publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [ad.owner.id] });
}
