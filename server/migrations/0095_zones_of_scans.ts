import { type Kysely, sql } from 'kysely';

/**
 * The zone of a deleted device, by which its scans have their days and hours: without it, they moved to those of UTC. Of
 * devices that were deleted before, it is known where they carried a campaign.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table scan_hours add column last_zone text;

    create function devices_note_scans() returns trigger language plpgsql as $$ begin
      update scan_hours set last_zone = old.time_zone where device_id = old.id;
      return old;
    end $$;
    create trigger devices_note_scans before delete on devices for each row execute function devices_note_scans();

    update scan_hours s set last_zone = coalesce(k.last_zone, k.time_zone)
    from (select distinct on (device_id) device_id, last_zone, time_zone from campaign_carriers
      order by device_id, joined_at desc) k
    where k.device_id = s.device_id and not exists (select from devices d where d.id = s.device_id);
  `.execute(db);
}
