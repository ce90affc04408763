import type {
  CountedSpots,
  LevelHours,
  ManifestFile,
  Programme,
  Screen,
  ScreenSound,
  UserRef,
  WorkingHours,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { hoursInForce } from '../devices/hours.service.ts';
import { hasStarted, rank } from '../devices/verdict.service.ts';
import { covers } from '../platform/auth/authority.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { UnsignedOffer } from './links.ts';

export type NeededFile = Omit<ManifestFile, 'url'>;

export type BegunRelease = Programme & {
  onScreen: Screen | null;
  /** A prepared takeover: its files are needed, and it does not play. */
  isPrepared: boolean;
  files: NeededFile[];
};

/** A device, and its releases unless they are those of a revision that is known already. */
export interface DeviceRow {
  id: string;
  mac: string;
  name: string;
  time_zone: string;
  sound: ScreenSound;
  working_hours: WorkingHours | null;
  volume: number | null;
  volume_hours: LevelHours;
  brightness: number | null;
  brightness_hours: LevelHours;
  expired: boolean;
  expires_on: string | null;
  /** Milliseconds until it expires; null when it never does or has. */
  expires_in: number | null;
  revision: number;
  manifest_revision: number;
  manifest_version: string | null;
  merchant: UserRef | null;
  app: UnsignedOffer | null;
  releases: BegunRelease[] | null;
  withdrawn: string[] | null;
}

/** A release `r` as a device plays it; the same wherever it is sent from, so that nothing begins anew. */
const programmeOf = sql<Programme>`(r.programme - 'qr' || jsonb_build_object('releaseId', r.id, 'adId', r.ad_id,
  'name', r.ad_name, 'priority', r.priority, 'replace', r.replace, 'schedule', r.schedule)
  || case when r.ends_at is null then '{}' else jsonb_build_object('endsAt', ${iso(sql`r.ends_at`)}) end)`;

const filesOf = sql<NeededFile[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('sha256', f.sha256, 'bytes', f.bytes, 'mime', f.mime)
    order by f.position), '[]') from release_files f where f.release_id = r.id)`;

/**
 * The pace of a campaign's release `r` on a device `d`: its creatives share the spots evenly. Null for other releases, and
 * where the campaign does not run. PostgreSQL may compute it for releases that the device no longer has, too, before it
 * leaves them out: then there may be no creative.
 */
const paceOf = sql<Programme['pace'] | null>`(
  select jsonb_build_object('everyMs', cd.every_ms * n.creatives, 'from', ${iso(sql`cd.paced_from`)},
    'dueBefore', cd.due_before / nullif(n.creatives, 0), 'campaignId', cd.campaign_id)
  from campaign_devices cd, lateral (
    select count(*) as creatives from releases o join release_devices od on od.release_id = o.id
    where o.campaign_id = cd.campaign_id and od.device_id = d.id and o.withdrawn_at is null and od.withdrawn_at is null
  ) n
  where cd.campaign_id = r.campaign_id and cd.device_id = d.id)`;

/** The QR code of a release `r` on a device `d`: its short link on the installation's public address, if it has one. */
const qrOf = (publicUrl: string | undefined) => sql`
  case when r.programme ? 'qr' then jsonb_build_object('qr', (r.programme -> 'qr') - 'url' || jsonb_build_object('address',
    ${publicUrl ?? ''}::text || '/q/' || r.scan_code || (select o.scan_code from devices o where o.id = d.id)))
    else '{}' end`;

/** Live releases that have begun on a device `d`, oldest first, each with the files it needs. */
const releasesOf = (publicUrl: string | undefined) => sql`
  (select coalesce(jsonb_agg(${programmeOf} || jsonb_build_object('onScreen', r.screen,
      'isPrepared', not ${hasStarted}, 'files', ${filesOf}) || ${qrOf(publicUrl)}
      || jsonb_strip_nulls(jsonb_build_object('pace', p.pace))
      order by coalesce(r.rank_at, r.released_at), r.id), '[]')
    from release_devices rd join releases r on r.id = rd.release_id
      cross join lateral (select case when r.campaign_id is not null then ${paceOf} end as pace) p
    where (r.campaign_id is null or p.pace is not null) and rd.device_id = d.id and rd.revision is not null and r.withdrawn_at is null
      and rd.withdrawn_at is null)`;

/** Enough for a device that was away for a while: what it does not know of, it replaces once it has the rest. */
const WITHDRAWN_MAX = 50;

const withdrawnOf = sql`
  (select coalesce(jsonb_agg(w.id), '[]') from (
    select r.id from release_devices rd join releases r on r.id = rd.release_id
    where rd.device_id = d.id and rd.revision is not null and coalesce(r.withdrawn_at, rd.withdrawn_at) is not null
    order by coalesce(r.withdrawn_at, rd.withdrawn_at) desc limit ${sql.lit(WITHDRAWN_MAX)}) w)`;

/** The merchant is the owner's superior; what the dealer itself owns names the dealer. */
const merchantOf = userRef<UserRef | null>(
  sql`coalesce((select o.superior_id from users o where o.id = d.owner_id), d.owner_id)`,
);

const unlessKnown = (value: RawBuilder<unknown>) =>
  sql`case when d.revision is distinct from w.known then ${value} end`;

/**
 * Those of the devices `ids` that exist. `known` are the revisions whose releases need not be read again, `offer` the
 * app offered to a device `d`.
 */
export async function readDevices(
  db: Db,
  ids: readonly string[],
  known: readonly (number | null)[],
  offer: RawBuilder<UnsignedOffer | null>,
  publicUrl: string | undefined,
): Promise<Map<string, DeviceRow>> {
  const { rows } = await sql<DeviceRow>`
    select d.id, d.mac, d.name, d.time_zone, d.sound, ${hoursInForce} as working_hours,
      d.volume, d.volume_hours, d.brightness, d.brightness_hours, d.expired, d.expires_on,
      case when not d.expired then extract(epoch from d.expires_at - now()) * 1000 end as expires_in,
      d.revision, d.manifest_revision, d.manifest_version, ${merchantOf} as merchant,
      ${offer} as app,
      ${unlessKnown(releasesOf(publicUrl))} as releases, ${unlessKnown(withdrawnOf)} as withdrawn
    from unnest(${ids}::uuid[], ${known}::bigint[]) w(id, known) join devices_now d on d.id = w.id
    ${prepared}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The counted spots of the campaigns that a device carries. Both screens of a device show the same campaigns. */
export async function readSpots(db: Db, deviceId: string): Promise<CountedSpots[]> {
  const { rows } = await sql<CountedSpots>`
    select i.release_id as "releaseId", i.screen, sum(m.plays * i.spot_part) as played, null as "lastAt"
    from campaign_devices cd
      join releases r on r.campaign_id = cd.campaign_id and r.withdrawn_at is null
      join play_items i on i.release_id = r.id and i.spot_part is not null
      join lateral (
        select sum(d.plays) as plays from play_item_days d where d.device_id = cd.device_id and d.item_id = i.id) m on true
    where cd.device_id = ${deviceId} and m.plays is not null
    group by 1, 2`.execute(db);
  return rows;
}

/** A takeover for the devices that have it; `programme` is null once it has ended. */
export interface TakeoverRow {
  id: string;
  screen: Screen | null;
  programme: Programme | null;
  files: NeededFile[];
  devices: string[];
}

/**
 * Takeovers that started or ended, with the devices that take part: also those that a takeover is on its way to and its
 * operator may reach now.
 */
export async function readTakeovers(db: Db, ids: readonly string[]): Promise<TakeoverRow[]> {
  const { rows } = await sql<TakeoverRow & { operatorId: string | null; isSent: boolean }>`
    select r.id, r.screen, ${filesOf} as files,
      case when r.withdrawn_at is null and r.ends_at > now() then ${programmeOf} end as programme,
      array(select rd.device_id::text from release_devices rd
        where rd.release_id = r.id and rd.revision is not null
          and (rd.withdrawn_at is null or r.withdrawn_at is not null)) as devices,
      r.operator_id as "operatorId", not exists (select from release_sends s where s.release_id = r.id) as "isSent"
    from releases r where r.id = any(${ids}::uuid[]) and r.priority = 'takeover' order by ${rank}`.execute(db);
  return Promise.all(
    rows.map(async ({ isSent, operatorId, ...row }) => {
      if (isSent) return row;
      const isOpen = row.programme ? covers(sql`${operatorId}::uuid`, sql`d.owner_id`) : sql<boolean>`true`;
      return { ...row, devices: [...row.devices, ...(await readNext(db, row.id, isOpen))] };
    }),
  );
}

/**
 * Those of the devices `d` of a condition that a release is on its way to. They may be all devices, which PostgreSQL does
 * not foresee: it looks them up in a hash table only within an expression.
 */
async function readNext(db: Db, releaseId: string, isOpen: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from devices d where ${isOpen} and case when d.id in (
      select unnest(s.device_ids[s.reached + 1:]) from release_sends s where s.release_id = ${releaseId}
    ) then true else false end`.execute(db);
  return rows.map(({ id }) => id);
}
