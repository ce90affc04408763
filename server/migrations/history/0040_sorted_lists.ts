import { type Kysely, sql } from 'kysely';

/** Lists in other orders than the newest first: the keys that names are compared by, and indexes in these orders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Names as people sort them: regardless of case and accents, numbers by their value. Compared by code point, it is
    -- the same with every version of every library of collations.
    create function natural_key(name text) returns text language sql immutable strict parallel safe as $$
      select regexp_replace(regexp_replace(
        regexp_replace(lower(normalize(name, nfkd)), '[\\u0300-\\u036f]', '', 'g'),
        '([0-9]+)', '00000000000\\1', 'g'), '[0-9]*([0-9]{12})', '\\1', 'g')
    $$;
    -- When a device was last seen, for a sort: always while it is connected. A column of its own, because an index on
    -- what it is made of would be written with every report.
    alter table devices add column seen_at timestamptz not null generated always as (
      case when lease is not null then 'infinity' else coalesce(last_seen_at, '-infinity') end) stored;
    create index devices_by_name on devices ((natural_key(name) collate "C"), id);
    create index devices_by_area on devices ((natural_key(coalesce(area, '')) collate "C"), id);
    create index devices_by_seen on devices (seen_at, id);
    create index devices_by_expiry on devices ((coalesce(expires_at, 'infinity')), id);
    create index files_by_name on files ((natural_key(name) collate "C"), id);
    create index blobs_by_bytes on blobs ((coalesce(play_bytes, bytes)));
    create index blobs_by_duration on blobs ((coalesce(duration_ms, 0)::bigint));
    create index ads_by_name on ads ((natural_key(name) collate "C"), id);
    create index releases_by_name on releases ((natural_key(ad_name) collate "C"), id);
    create index users_by_login on users ((coalesce(last_login_at, '-infinity')), id);
  `.execute(db);
  await showColumns(db);
}

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
