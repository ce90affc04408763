import './releases.tables.ts';
import type { AdDevice, Page, PageQuery } from '@ams/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { delivery, isReporting, rank } from '../devices/verdict.service.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { decodeCursor, toPage } from '../platform/database/page.ts';

const ByMac = z.tuple([z.string().max(20), z.uuid()]);

/** A device `d` reports a release `r` on one of its screens. */
const isOnScreen = sql<boolean>`(${isReporting}
  and r.id::text in (d.playing -> 'main' ->> 'releaseId', d.playing -> 'secondary' ->> 'releaseId'))`;

/** The devices in scope that have a live release of an ad, by MAC, each with its latest release. */
export async function listAdDevices(db: Db, viewer: Viewer, adId: string, query: PageQuery): Promise<Page<AdDevice>> {
  const after = decodeCursor(query.cursor, ByMac);
  const { rows } = await sql<AdDevice>`
    select distinct on (d.mac, d.id) d.id, d.mac, d.name, d.online, r.id as "releaseId",
      ${delivery} as state, ${isOnScreen} as "onScreen"
    from releases r join release_devices rd on rd.release_id = r.id and rd.withdrawn_at is null
      join devices_now d on d.id = rd.device_id
    where r.ad_id = ${adId}::uuid and r.withdrawn_at is null and ${inScope(viewer, sql`d.owner_id`)}
      and ${after ? sql`(d.mac, d.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`}
    order by d.mac, d.id, ${rank} desc, r.id desc limit ${query.limit + 1}`.execute(db);
  return toPage(rows, query, ({ mac, id }) => [mac, id]);
}
