import { type Kysely, sql } from 'kysely';

/** What keeps reports and lists as quick for a million devices as for a thousand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runningMonths(db);
  await findDevices(db);
}

/**
 * The sums of a month by device and item become running ones: what played from its first day to each of its days.
 * Any range of days is then the difference of two numbers in each month's row, instead of a row a day.
 */
async function runningMonths(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Two arrays of one length, element by element.
    create function add_each(a anyarray, b anyarray) returns anyarray language sql immutable parallel safe as $$
      select array_agg(x.a + x.b order by x.nth) from unnest(a, b) with ordinality as x(a, b, nth)
    $$;

    -- Element n is what played from the first to the n-th day; a short month's last days repeat its end.
    alter table play_item_months add column plays_to integer[], add column ms_to bigint[];
    update play_item_months m set (plays_to, ms_to) = (
      select array_agg(r.plays::integer order by r.nth), array_agg(r.ms::bigint order by r.nth)
      from (
        select nth, sum(coalesce(d.plays, 0)) over running as plays, sum(coalesce(d.duration_ms, 0)) over running as ms
        from generate_series(1, 31) nth left join play_item_days d
          on d.device_id = m.device_id and d.item_id = m.item_id
            and d.day = m.month + nth - 1 and d.day < m.month + interval '1 month'
        window running as (order by nth)
      ) r
    );
    alter table play_item_months
      alter column plays_to set not null,
      alter column ms_to set not null,
      drop column plays,
      drop column duration_ms;
  `.execute(db);
}

/**
 * Every one, two and three letters in a row of what devices are searched by, so that a search of any length and in any
 * script finds few among many by index. Beside the devices, whose rows change too often to carry it. (pg_trgm knows
 * no two letters, and no Chinese in some databases.)
 */
async function findDevices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function grams(words text, length integer) returns text[] language sql immutable strict parallel safe
    return (
      select array_agg(distinct substr(lower(words), start, length))
      from generate_series(1, char_length(words) - length + 1) start
    );
    -- A loop: aggregates would take five times as long, and thousands of devices come in one import.
    create function all_grams(words text) returns text[] language plpgsql immutable strict parallel safe as $$
    declare
      found text[] := '{}';
      lowered text := lower(words);
      size integer := char_length(lowered);
    begin
      for start in 1..size loop
        found := found || substr(lowered, start, 1);
        if start < size then found := found || substr(lowered, start, 2); end if;
        if start < size - 1 then found := found || substr(lowered, start, 3); end if;
      end loop;
      return found;
    end $$;

    create table device_words (
      device_id uuid primary key references devices on delete cascade,
      name_grams text[] not null,
      mac_grams text[] not null
    );
    create function devices_note_words() returns trigger language plpgsql as $$
    begin
      insert into device_words (device_id, name_grams, mac_grams)
      values (new.id, all_grams(new.name), all_grams(replace(new.mac, ':', '')))
      on conflict (device_id) do update set name_grams = excluded.name_grams, mac_grams = excluded.mac_grams;
      return null;
    end $$;
    create trigger devices_note_words after insert or update of name, mac on devices
      for each row execute function devices_note_words();
    insert into device_words (device_id, name_grams, mac_grams)
    select id, all_grams(name), all_grams(replace(mac, ':', '')) from devices;
    create index device_words_name on device_words using gin (name_grams);
    create index device_words_mac on device_words using gin (mac_grams);
    analyze device_words;

    create index devices_waiting on devices (created_at desc, id desc) where done_revision < revision;
  `.execute(db);
}
