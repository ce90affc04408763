import { type Kysely, sql } from 'kysely';

/**
 * The zone of a deleted device, by which its plays have their days, is kept beside the one under which it joined a campaign:
 * the order is divided over the days of that one. Devices that were deleted before have the last one only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaign_carriers add column last_zone text;

    create or replace function devices_note_carriers() returns trigger language plpgsql as $$ begin
      update campaign_carriers set name = old.name, area = old.area, last_zone = old.time_zone where device_id = old.id;
      return old;
    end $$;

    create or replace function campaign_month(hour timestamptz, campaign uuid, device uuid) returns date language sql stable
    as $$
      select date_trunc('month', hour at time zone coalesce(
        (select time_zone from devices where id = device),
        (select coalesce(last_zone, time_zone) from campaign_carriers where campaign_id = campaign and device_id = device
          order by joined_at desc limit 1), 'UTC'))::date
    $$;
  `.execute(db);
}
