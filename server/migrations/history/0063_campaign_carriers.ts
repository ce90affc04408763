import { type Kysely, sql } from 'kysely';

/**
 * The devices that carried a campaign, from when to when, under which terms: kept for its statement when a device leaves it or is
 * deleted, is renamed, or changes its working hours.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaign_carriers (
      campaign_id uuid not null references campaigns on delete cascade,
      device_id uuid not null,
      joined_at timestamptz not null,
      left_at timestamptz,
      -- It was booked, not joined later: a part of the order is its own.
      is_ordered boolean not null,
      every_ms bigint not null,
      spot_ms integer not null,
      name text not null,
      area text,
      time_zone text not null,
      expires_on date,
      -- Working hours in force when it joined; null: always.
      hours jsonb,
      primary key (campaign_id, device_id, joined_at)
    );
    create index campaign_carriers_device on campaign_carriers (device_id);

    -- Working hours are looked up once per owner: bookings add thousands of devices at a time.
    create function note_carriers(campaign_ids uuid[], device_ids uuid[]) returns void language sql as $$
      with added as materialized (
        select a.campaign_id, d.*, cd.every_ms, cd.spot_ms
        from unnest(campaign_ids, device_ids) a(campaign_id, device_id) join devices d on d.id = a.device_id
          join campaign_devices cd on cd.campaign_id = a.campaign_id and cd.device_id = a.device_id
      ), owner as materialized (
        select o.owner_id, default_hours(o.owner_id) as hours from (select distinct owner_id from added) o
      )
      insert into campaign_carriers (campaign_id, device_id, joined_at, is_ordered, every_ms, spot_ms, name, area,
        time_zone, expires_on, hours)
      select a.campaign_id, a.id, now(), c.state <> 'booked', a.every_ms, a.spot_ms, a.name, a.area, a.time_zone,
        a.expires_on, coalesce(a.working_hours, o.hours)
      from added a join owner o on o.owner_id = a.owner_id join campaigns c on c.id = a.campaign_id
      on conflict do nothing
    $$;

    create function campaign_devices_joined() returns trigger language plpgsql as $$ begin
      perform note_carriers(array_agg(campaign_id order by campaign_id, device_id),
        array_agg(device_id order by campaign_id, device_id)) from added;
      return null;
    end $$;
    create trigger campaign_devices_joined after insert on campaign_devices referencing new table as added
      for each statement execute function campaign_devices_joined();

    create function campaign_devices_left() returns trigger language plpgsql as $$ begin
      update campaign_carriers k set left_at = now() from removed r
      where k.campaign_id = r.campaign_id and k.device_id = r.device_id and k.left_at is null;
      return null;
    end $$;
    create trigger campaign_devices_left after delete on campaign_devices referencing old table as removed
      for each statement execute function campaign_devices_left();

    create function devices_note_carriers() returns trigger language plpgsql as $$ begin
      update campaign_carriers set name = old.name, area = old.area, time_zone = old.time_zone where device_id = old.id;
      return old;
    end $$;
    create trigger devices_note_carriers before delete on devices for each row execute function devices_note_carriers();

    select note_carriers(array_agg(campaign_id order by campaign_id, device_id),
      array_agg(device_id order by campaign_id, device_id)) from campaign_devices;
    update campaign_carriers k set is_ordered = true, joined_at = coalesce(c.decided_at, k.joined_at)
    from campaigns c where c.id = k.campaign_id;
  `.execute(db);
}
