import { type Kysely, sql } from 'kysely';

/**
 * Proof of play that stays fast and small: what devices reported lies in one partition a day of arrival, which is
 * dropped as a whole; sums by device, item and local day (with its hours) and month stay for the reports.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tables(db);
  await takeOver(db);
}

async function tables(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What can be played: a file of a release on one screen. Small, so that the rows that are many name it by a number.
    create table play_items (
      id integer generated always as identity primary key,
      release_id uuid not null references releases on delete cascade,
      sha256 text not null,
      screen text not null,
      file_id uuid,
      -- As it was called when it first played; the file may be renamed or deleted.
      file_name text not null,
      -- Its length in the programme; no play of it counts for much longer.
      length_ms integer,
      unique (release_id, sha256, screen)
    );
    create index play_items_file on play_items (file_id);

    -- The batches that a device sent last. Its row is the lock that brings its reports in turn.
    create table play_inboxes (
      device_id uuid primary key references devices on delete cascade,
      batches uuid[] not null default '{}'
    );

    alter table plays rename to plays_reported;
    -- Plays as reported. No reference to devices: what is left of a deleted device goes with its partition.
    create table plays (
      device_id uuid not null,
      at timestamptz not null,
      item_id integer not null,
      duration_ms integer not null,
      -- Tells plays of one item apart that began in the same millisecond, in two regions.
      nth smallint not null,
      received_on date not null default (now() at time zone 'UTC')::date
    ) partition by range (received_on);
    create index plays_of_device on plays (device_id, at);

    -- By the day on the device's own calendar; hour 1 of 24 holds what began from 0:00 to 0:59 by its clock.
    create table play_item_days (
      device_id uuid not null references devices on delete cascade,
      item_id integer not null,
      day date not null,
      plays integer not null,
      duration_ms bigint not null,
      hour_plays integer[] not null,
      hour_ms integer[] not null,
      primary key (device_id, day, item_id)
    ) with (fillfactor = 85);
    create index play_item_days_item on play_item_days (item_id, day);
    create index play_item_days_day on play_item_days using brin (day) with (pages_per_range = 32);

    create table play_item_months (
      device_id uuid not null references devices on delete cascade,
      item_id integer not null,
      -- Its first day.
      month date not null,
      plays integer not null,
      duration_ms bigint not null,
      primary key (device_id, month, item_id)
    ) with (fillfactor = 85);
    create index play_item_months_item on play_item_months (item_id, month);
    create index play_item_months_month on play_item_months (month);

    -- Two days' hours as one. An hour holds no more than an integer does: whoever reports more is not believed.
    create function add_hours(a integer[], b integer[]) returns integer[] language sql immutable as $$
      select array_agg(least(x.a::bigint + x.b, 2147483647)::integer order by x.hour)
      from unnest(a, b) with ordinality as x(a, b, hour)
    $$;
  `.execute(db);
}

/** Counts what was reported before, by the time zones that the devices have now. */
async function takeOver(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into play_inboxes (device_id, batches)
    select device_id, (array_agg(batch order by at desc))[1:64] from play_batches group by device_id;
    drop table play_batches;

    insert into play_items (release_id, sha256, screen, file_id, file_name)
    select distinct on (p.release_id, p.sha256, p.screen) p.release_id, p.sha256, p.screen, rf.file_id, coalesce(f.name, '')
    from plays_reported p join releases r on r.id = p.release_id
      left join release_files rf on rf.release_id = p.release_id and rf.sha256 = p.sha256
      left join files f on f.id = rf.file_id
    order by p.release_id, p.sha256, p.screen, rf.position;

    with hours as (
      select p.device_id, i.id as item_id, (p.at at time zone d.time_zone)::date as day,
        extract(hour from p.at at time zone d.time_zone) as hour, count(*) as plays, sum(p.duration_ms::bigint) as ms
      from plays_reported p join devices d on d.id = p.device_id
        join play_items i on i.release_id = p.release_id and i.sha256 = p.sha256 and i.screen = p.screen
      group by 1, 2, 3, 4
    ), days as (select device_id, item_id, day, sum(plays) as plays, sum(ms) as ms from hours group by 1, 2, 3)
    insert into play_item_days (device_id, item_id, day, plays, duration_ms, hour_plays, hour_ms)
    select d.device_id, d.item_id, d.day, d.plays, d.ms,
      array_agg(coalesce(h.plays, 0)::integer order by clock.hour), array_agg(least(coalesce(h.ms, 0), 2147483647)::integer order by clock.hour)
    from days d cross join generate_series(0, 23) clock(hour)
      left join hours h on h.device_id = d.device_id and h.item_id = d.item_id and h.day = d.day and h.hour = clock.hour
    group by 1, 2, 3, 4, 5;

    insert into play_item_months (device_id, item_id, month, plays, duration_ms)
    select device_id, item_id, date_trunc('month', day)::date, sum(plays), sum(duration_ms)
    from play_item_days group by 1, 2, 3;
    drop table plays_reported;
  `.execute(db);
}
