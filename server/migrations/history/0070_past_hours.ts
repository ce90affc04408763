import { type Kysely, sql } from 'kysely';

/**
 * Working hours that were in force earlier, written whenever those of a device change, by whatever way; the rule of
 * working hours for queries; and further conditions of releases that stand on a group.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The same rule as isWithinHours of the contract.
    create function is_within_hours(hours jsonb, at timestamptz, zone text) returns boolean
    language sql stable cost 500 as $$
      select hours is null or exists (
        select from (select at at time zone zone as local) now_there
        cross join (values (0), (1)) back(days)
        cross join lateral (select local::date - days as day,
          extract(hour from local)::int * 60 + extract(minute from local)::int + 1440 * days as minute) on_day
        cross join lateral jsonb_array_elements(coalesce(
          (select each -> 'hours' from jsonb_array_elements(hours -> 'exceptions') each
            where each ->> 'date' = to_char(day, 'YYYY-MM-DD') limit 1),
          hours -> 'weekly' -> extract(isodow from day)::text, '[]')) span
        cross join lateral (select
          split_part(span ->> 'from', ':', 1)::int * 60 + split_part(span ->> 'from', ':', 2)::int as starts,
          split_part(span ->> 'to', ':', 1)::int * 60 + split_part(span ->> 'to', ':', 2)::int as ends) minutes
        where minute >= starts and minute < case when starts < ends then ends else ends + 1440 end)
    $$;

    create index devices_own_hours on devices (id) where working_hours is not null;
    create index users_own_hours on users (id) where working_hours is not null;

    -- Until when a device had other working hours than afterwards; null: always.
    create table past_hours (
      device_id uuid not null references devices on delete cascade,
      until timestamptz not null,
      hours jsonb,
      primary key (device_id, until)
    );
    create index past_hours_until on past_hours (until);
    -- Of several changes in a transaction, the first one knows what was in force before.
    create function keep_hours_of_device() returns trigger language plpgsql as $$
    declare before jsonb := coalesce(old.working_hours, default_hours(old.owner_id));
    begin
      if before is distinct from coalesce(new.working_hours, default_hours(new.owner_id)) then
        insert into past_hours values (old.id, now(), before) on conflict do nothing;
      end if;
      return null;
    end $$;
    create trigger devices_keep_hours after update on devices for each row
      when (old.working_hours is distinct from new.working_hours or old.owner_id <> new.owner_id)
      execute function keep_hours_of_device();
    create function keep_default_hours() returns trigger language plpgsql as $$
    declare before jsonb := coalesce(old.working_hours, default_hours(old.superior_id));
    begin
      if before is distinct from coalesce(new.working_hours, default_hours(new.superior_id)) then
        insert into past_hours
        with recursive sharing as (
          select old.id
          union all
          select u.id from sharing join users u on u.superior_id = sharing.id where u.working_hours is null
        )
        select d.id, now(), before from devices d
        where d.working_hours is null and d.owner_id in (select id from sharing) order by d.id
        on conflict do nothing;
      end if;
      return new;
    end $$;
    create trigger users_keep_hours before update on users for each row
      when (old.working_hours is distinct from new.working_hours or old.superior_id is distinct from new.superior_id)
      execute function keep_default_hours();

    -- What devices of a standing release on a group must satisfy beside the filter of the group.
    create table standing_filters (
      release_id uuid primary key references standing_releases on update cascade on delete cascade,
      filter jsonb not null,
      owner_id uuid,
      words text,
      mac_words text,
      paired boolean,
      orientation text,
      fits text,
      area text,
      tags_all text[] not null,
      tags_any text[],
      tags_none text[] not null
    );
  `.execute(db);
}
