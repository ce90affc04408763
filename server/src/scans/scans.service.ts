import './scans.tables.ts';
import { AppError, isScanTarget, type Scans, SCANNED_DEVICES_MAX } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

/** Half of a code names the release, the other half the device. */
const HALF = 8;
const CODE = /^[\w-]{16}$/;

/** What a short link belongs to, and the stored address that it leads to. */
interface Scanned {
  releaseId: string;
  deviceId: string;
  url: string;
}

/**
 * The release on a device that a code names. Throws `NOT_FOUND`: also when the device never had the release, and while the
 * account of the release is disabled, so that the address of an offender can be cut off.
 */
export async function findScanned(db: Db, code: string): Promise<Scanned> {
  if (!CODE.test(code)) throw new AppError('NOT_FOUND');
  const { rows } = await sql<Scanned>`
    select r.id as "releaseId", d.id as "deviceId", r.programme -> 'qr' ->> 'url' as url
    from releases r join devices d on d.scan_code = ${code.slice(HALF)}
      join users u on u.id = r.owner_id and not u.disabled
      join release_devices rd on rd.release_id = r.id and rd.device_id = d.id and rd.revision is not null
    where r.scan_code = ${code.slice(0, HALF)} ${prepared}`.execute(db);
  const [scanned] = rows;
  if (!scanned?.url || !isScanTarget(scanned.url)) throw new AppError('NOT_FOUND');
  return scanned;
}

/** Counts a scan in the hour of the device: hours begin at other moments where clocks differ from UTC by half an hour. */
export const countScan = (db: Db, { releaseId, deviceId }: Scanned): Promise<unknown> =>
  sql`
    insert into scan_hours (release_id, device_id, hour, scans)
    select ${releaseId}::uuid, d.id, date_trunc('hour', now(), d.time_zone), 1 from devices d where d.id = ${deviceId}
    on conflict (release_id, device_id, hour) do update set scans = scan_hours.scans + 1 ${prepared}`.execute(db);

/** The scans of the releases `r` of a condition, as the viewer may see them; undefined if there is no such release. */
async function readScans(db: Db, viewer: Viewer, chosen: RawBuilder<boolean>): Promise<Scans> {
  const { rows } = await sql<Scans>`
    with chosen as materialized (select r.id, r.programme ? 'qr' as carries from releases r where ${chosen}),
    counted as materialized (
      select s.device_id, s.scans, s.hour at time zone coalesce(d.time_zone, s.last_zone, 'UTC') as local, d.name, d.owner_id
      from scan_hours s join chosen on chosen.id = s.release_id left join devices d on d.id = s.device_id
    )
    select (select coalesce(bool_or(carries), false) from chosen) as carries,
      (select coalesce(sum(scans), 0) from counted) as total,
      (select coalesce(jsonb_agg(jsonb_build_object('day', day, 'scans', scans) order by day), '[]')
        from (select local::date::text as day, sum(scans) as scans from counted group by 1) days) as days,
      (select jsonb_agg(coalesce((select sum(scans) from counted where extract(hour from local) = hour), 0) order by hour)
        from generate_series(0, 23) hour) as hours,
      (select coalesce(jsonb_agg(jsonb_build_object('device', jsonb_build_object('id', device_id, 'name', name),
          'scans', scans) order by scans desc, device_id), '[]')
        from (select device_id, name, sum(scans) as scans from counted c
          where c.owner_id is not null and ${inScope(viewer, sql`c.owner_id`)}
          group by 1, 2 order by 3 desc, 1 limit ${sql.lit(SCANNED_DEVICES_MAX)}) devices) as devices`.execute(db);
  const [scans] = rows;
  if (!scans) throw new Error('sums answer one row');
  return scans;
}

/** The scans of a release in scope. Throws `NOT_FOUND`. */
export async function scansOfRelease(db: Db, viewer: Viewer, id: string): Promise<Scans> {
  const release = await db
    .selectFrom('releases as r')
    .select('r.id')
    .where('r.id', '=', id)
    .where(inScope(viewer, sql`r.owner_id`))
    .executeTakeFirst();
  if (!release) throw new AppError('NOT_FOUND');
  return readScans(db, viewer, sql<boolean>`r.id = ${id}`);
}

/** The scans of a campaign in scope. Throws `NOT_FOUND`. */
export async function scansOfCampaign(db: Db, viewer: Viewer, id: string): Promise<Scans> {
  const campaign = await db
    .selectFrom('campaigns as c')
    .select('c.id')
    .where('c.id', '=', id)
    .where(inScope(viewer, sql`c.customer_id`))
    .executeTakeFirst();
  if (!campaign) throw new AppError('NOT_FOUND');
  return readScans(db, viewer, sql<boolean>`r.campaign_id = ${id}`);
}
