import { type Kysely, sql } from 'kysely';

/**
 * A heartbeat writes no device, so that the stored last sign of life of a device that is connected may be days old. As soon
 * as its process was dead, it counted as silent for as long, until the process was buried.
 *
 * `started_at`: after a start devices need a moment until they are back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Their last device was deleted: nobody could withdraw them, and their files counted as in use.
  await sql`
    update releases r set withdrawn_at = now()
    where r.withdrawn_at is null and r.standing_by is null and r.campaign_id is null
      and not exists (select from release_devices rd where rd.release_id = r.id and rd.withdrawn_at is null)
      and not exists (select from release_sends s where s.release_id = r.id)`.execute(db);
  await sql`alter table server_processes add column started_at timestamptz not null default now()`.execute(db);
  await sql`
    create or replace view devices_now as
    select d.id, d.mac, d.name, d.owner_id, d.secret_hash, d.paired_at, d.time_zone, d.expires_on, d.expires_at,
      d.expired_told, d.screens, d.player_version, d.player_kind, d.lease,
      -- Not more than now: a process may have beaten before the clock went back.
      coalesce((select greatest(d.last_seen_at, least(p.beat_at, now())) from server_processes p where p.id = d.lease),
        d.last_seen_at) as last_seen_at,
      d.free_bytes, d.playing, d.playing_at, d.created_at, d.silent, d.app_package, d.app_code, d.area, d.address,
      d.time_zone_set, d.orientation, d.sound, d.seen_at, d.reported_zone, d.tags, d.working_hours, d.volume,
      d.volume_hours, d.brightness, d.brightness_hours, d.scan_code, c.revision, c.manifest_revision,
      c.manifest_version, c.reported_revision, c.reported_version, c.done_revision, c.download, c.operator_id,
      coalesce(w.failed, false) as failed, w.since as waiting_since,
      exists (select from living_processes p where p.id = d.lease) as online,
      c.done_revision >= c.revision as done,
      coalesce(d.expires_at <= now(), false) as expired,
      coalesce(d.expires_at > now() and d.expires_at <= now() + interval '720:00:00', false) as expiring
    from devices d left join device_revisions c on c.device_id = d.id left join device_waits w on w.device_id = d.id`.execute(
    db,
  );
}
