import { AppError, type Release } from '@ams/contract';
import { sql } from 'kysely';
import { retryDownloads, tellOperators } from '../devices/devices.service.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { inScope, inScopeEach } from '../platform/auth/scope.ts';
import { getRelease } from './releases.service.ts';

/**
 * Tells devices in scope that failed to try again: all of a release, or those of `ids`, which must belong to it. Until such a
 * device reports, its content counts as waiting; a device that is offline retries when it is back online.
 */
export function retryRelease(db: Db, viewer: Viewer, id: string, ids: readonly string[] | undefined): Promise<Release> {
  const named = ids && [...new Set(ids)];
  return actingAs(db, viewer, {}, async (trx, actor) => {
    const release = await getRelease(trx, actor, id);
    if (named) await checkMembers(trx, actor, id, named);
    const rows = await retryDownloads(
      trx,
      sql`
        select d.id, d.owner_id from release_devices rd join devices d on d.id = rd.device_id
          join device_revisions c on c.device_id = d.id
        where rd.release_id = ${id} and rd.withdrawn_at is null and ${named ? sql`d.id = any(${named}::uuid[])` : sql`true`}
          and ${inScopeEach(actor, sql`d.owner_id`)} and c.done_revision < rd.revision and c.reported_revision >= rd.revision
          and c.download ->> 'state' = 'failed'
        order by d.id for no key update of d, c`,
    );
    if (rows.length > 0) {
      await audit(trx, viewer, {
        action: 'releases.retry',
        targetId: id,
        target: release.ad.name,
        details: { devices: rows.length },
      });
      await publish(trx, { topic: 'command', ids: rows.map((row) => row.id), command: 'retry' });
      await tellOperators(trx, rows);
      await publish(trx, {
        topic: 'changed',
        kind: 'release',
        ids: [id],
        owners: [...new Set(rows.map((row) => row.owner_id))],
      });
    }
    return getRelease(trx, actor, id);
  });
}

async function checkMembers(trx: Db, actor: Actor, releaseId: string, ids: string[]): Promise<void> {
  const { count } = await trx
    .selectFrom('release_devices as rd')
    .innerJoin('devices as d', 'd.id', 'rd.device_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('rd.release_id', '=', releaseId)
    .where(sql<boolean>`d.id = any(${ids}::uuid[])`)
    .where(inScope(actor, sql`d.owner_id`))
    .executeTakeFirstOrThrow();
  if (count !== ids.length) throw new AppError('NOT_FOUND');
}
