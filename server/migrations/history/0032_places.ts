import { type Kysely, sql } from 'kysely';

/** Where a device is and how it hangs: area, address, orientation, and whether an operator set its time zone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table devices
      add column area text,
      add column address text,
      add column time_zone_set boolean not null default false,
      -- Of the main screen, which is the first; null until the device has reported its size.
      add column orientation text generated always as (
        case
          when (screens -> 0 ->> 'height')::integer > (screens -> 0 ->> 'width')::integer then 'vertical'
          when (screens -> 0 ->> 'height')::integer <= (screens -> 0 ->> 'width')::integer then 'horizontal'
        end) stored,
      -- A column of its own: an index on what it is made of would be written with every report.
      add column failed boolean not null generated always as (
        done_revision < revision and reported_revision >= revision
          and coalesce(download ->> 'state' = 'failed', false)) stored,
      -- Since when its content is waiting, for as long as it does.
      add column waiting_since timestamptz not null default now();
    -- Null: the player did not report one.
    alter table pairings alter column time_zone drop not null, alter column time_zone drop default;
    update devices d set time_zone_set = true where exists (
      select from audit a where a.action = 'devices.change' and a.target_id = d.id::text and a.details ->> 'timeZone' is not null);
    create index devices_area on devices (lower(area), created_at desc, id desc) where area is not null;
    create index devices_failed on devices (created_at desc, id desc) where failed;
  `.execute(db);
  await noteWaiting(db);
  await searchPlaces(db);
  await showColumns(db);
}

const noteWaiting = (db: Kysely<unknown>) =>
  sql`
    create function devices_note_waiting() returns trigger language plpgsql as $$
    begin
      new.waiting_since := now();
      return new;
    end $$;
    create trigger devices_note_waiting before update of revision, done_revision on devices for each row
      when (old.done_revision >= old.revision and new.done_revision < new.revision)
      execute function devices_note_waiting();
  `.execute(db);

/** A search finds devices by area and address as by name. */
const searchPlaces = (db: Kysely<unknown>) =>
  sql`
    alter table device_words rename column name_grams to text_grams;
    alter index device_words_name rename to device_words_text;
    create or replace function devices_note_words() returns trigger language plpgsql as $$
    begin
      insert into device_words (device_id, text_grams, mac_grams)
      values (new.id, all_grams(concat_ws(chr(10), new.name, new.area, new.address)), all_grams(replace(new.mac, ':', '')))
      on conflict (device_id) do update set text_grams = excluded.text_grams, mac_grams = excluded.mac_grams;
      return null;
    end $$;
    drop trigger devices_note_words on devices;
    create trigger devices_note_words after insert or update of name, mac, area, address on devices
      for each row execute function devices_note_words();
  `.execute(db);

/** A view has the columns that its table had when it was made. */
const showColumns = (db: Kysely<unknown>) =>
  sql`
    drop view devices_now;
    create view devices_now as
      select d.*,
        exists (select from living_processes p where p.id = d.lease) as online,
        d.done_revision >= d.revision as done,
        coalesce(d.expires_at <= now(), false) as expired,
        coalesce(d.expires_at > now() and d.expires_at <= now() + interval '720 hours', false) as expiring
      from devices d;
  `.execute(db);
