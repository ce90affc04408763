import { type Kysely, sql } from 'kysely';

/**
 * Pieces of six letters beside those of one to three: each of three occurs in thousands of a million names, and
 * putting those together takes longer than all the rest of a search. Users are found by pieces of their names, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A loop: aggregates would take five times as long, and thousands of devices come in one import.
    create or replace function all_grams(words text) returns text[] language plpgsql immutable strict parallel safe as $$
    declare
      found text[] := '{}';
      lowered text := lower(words);
      size integer := char_length(lowered);
    begin
      for start in 1..size loop
        found := found || substr(lowered, start, 1);
        if start <= size - 1 then found := found || substr(lowered, start, 2); end if;
        if start <= size - 2 then found := found || substr(lowered, start, 3); end if;
        if start <= size - 5 then found := found || substr(lowered, start, 6); end if;
      end loop;
      return found;
    end $$;

    drop index device_words_name, device_words_mac;
    truncate device_words;
    insert into device_words (device_id, name_grams, mac_grams)
    select id, all_grams(name), all_grams(replace(mac, ':', '')) from devices;
    create index device_words_name on device_words using gin (name_grams);
    create index device_words_mac on device_words using gin (mac_grams);

    alter table users add column name_grams text[] not null generated always as (all_grams(username_key)) stored;
    create index users_words on users using gin (name_grams);
    analyze device_words, users;
  `.execute(db);
}
