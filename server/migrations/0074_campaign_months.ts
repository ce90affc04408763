import { type Kysely, sql } from 'kysely';

/** Delivered spots by month, so that amounts of months are known without reading the hours of all campaigns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaign_months (
      campaign_id uuid not null references campaigns on delete cascade,
      month date not null,
      device_id uuid not null,
      spots double precision not null,
      primary key (campaign_id, month, device_id)
    );
    create index campaign_months_device on campaign_months (device_id, campaign_id);

    -- By the clock of the device; if it was deleted, by that under which it joined last. Statements do the same.
    create function campaign_month(hour timestamptz, campaign uuid, device uuid) returns date language sql stable as $$
      select date_trunc('month', hour at time zone coalesce(
        (select time_zone from devices where id = device),
        (select time_zone from campaign_carriers where campaign_id = campaign and device_id = device
          order by joined_at desc limit 1), 'UTC'))::date
    $$;

    create or replace function campaign_hours_note_sum() returns trigger language plpgsql as $$
    declare more double precision := new.spots - case when tg_op = 'UPDATE' then old.spots else 0 end;
    begin
      insert into campaign_sums (campaign_id, device_id, spots) values (new.campaign_id, new.device_id, more)
      on conflict (campaign_id, device_id) do update set spots = campaign_sums.spots + excluded.spots;
      insert into campaign_months (campaign_id, month, device_id, spots)
      values (new.campaign_id, campaign_month(new.hour, new.campaign_id, new.device_id), new.device_id, more)
      on conflict (campaign_id, month, device_id) do update set spots = campaign_months.spots + excluded.spots;
      return null;
    end $$;

    insert into campaign_months (campaign_id, month, device_id, spots)
    select h.campaign_id, date_trunc('month', h.hour at time zone coalesce(d.time_zone, k.time_zone, 'UTC'))::date,
      h.device_id, sum(h.spots)
    from campaign_hours h left join devices d on d.id = h.device_id
      left join (select distinct on (campaign_id, device_id) campaign_id, device_id, time_zone from campaign_carriers
        order by campaign_id, device_id, joined_at desc) k
        on k.campaign_id = h.campaign_id and k.device_id = h.device_id
    group by 1, 2, 3;

    -- Another clock moves hours into other months.
    create function devices_count_months() returns trigger language plpgsql as $$
    declare own uuid[] := array(select distinct campaign_id from campaign_months where device_id = old.id);
    begin
      delete from campaign_months where device_id = old.id;
      insert into campaign_months (campaign_id, month, device_id, spots)
      select campaign_id, campaign_month(hour, campaign_id, device_id), device_id, sum(spots) from campaign_hours
      where campaign_id = any(own) and device_id = old.id group by 1, 2, 3;
      return null;
    end $$;
    create trigger devices_count_months_anew after update of time_zone on devices for each row
      when (old.time_zone is distinct from new.time_zone) execute function devices_count_months();
    create trigger devices_count_months_deleted after delete on devices for each row
      execute function devices_count_months();
  `.execute(db);
}
