-- The schema after the migrations in history/. Generated: npx vitest run server/test/schema.test.ts -u

-- Functions may name tables that are created after them.
set local check_function_bodies = off;

-- Types

create type tally_delta as (owner_id uuid, subject text, part text, at timestamp with time zone, n bigint);


-- Functions

CREATE OR REPLACE FUNCTION public.add_each(a anyarray, b anyarray)
 RETURNS anyarray
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
      select array_agg(x.a + x.b order by x.nth) from unnest(a, b) with ordinality as x(a, b, nth)
    $function$;

CREATE OR REPLACE FUNCTION public.add_hours(a integer[], b integer[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
      select array_agg(least(x.a::bigint + x.b, 2147483647)::integer order by x.hour)
      from unnest(a, b) with ordinality as x(a, b, hour)
    $function$;

CREATE OR REPLACE FUNCTION public.add_tallies(deltas tally_delta[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
    begin
      with delta as materialized (
        select s.ancestor_id as user_id, s.ancestor_id <> d.owner_id as below, d.subject, d.part, d.at, sum(d.n) as n
        from unnest(deltas) d join user_scopes s on s.user_id = d.owner_id
        group by 1, 2, 3, 4, 5 having sum(d.n) <> 0
      ), slot as materialized (
        select d.*, free.id from delta d left join lateral (
          select t.id from tallies t
          where t.user_id = d.user_id and t.subject = d.subject and t.part = d.part and t.at = d.at and t.below = d.below
          limit 1 for update skip locked
        ) free on true
      ), counted as (
        update tallies t set n = t.n + slot.n from slot where t.id = slot.id
      )
      insert into tallies (user_id, below, subject, part, at, n)
      select user_id, below, subject, part, at, n from slot where id is null;
    end $function$;

CREATE OR REPLACE FUNCTION public.ads_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign) as n
    from (select -1 as sign, owner_id, live_releases from old_rows) r cross join lateral (values ('ads', true), ('released', r.live_releases > 0)) v(subject, holds)
    where v.holds group by 1, 2) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.ads_tally_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign) as n
    from (select 1 as sign, owner_id, live_releases from new_rows) r cross join lateral (values ('ads', true), ('released', r.live_releases > 0)) v(subject, holds)
    where v.holds group by 1, 2) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.ads_tally_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign) as n
    from (select 1 as sign, owner_id, live_releases from new_rows union all select -1 as sign, owner_id, live_releases from old_rows) r cross join lateral (values ('ads', true), ('released', r.live_releases > 0)) v(subject, holds)
    where v.holds group by 1, 2) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.all_grams(words text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_forget_plays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      delete from play_days where device_id = old.id;
      return old;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_note_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into device_words (device_id, name_grams, mac_grams)
      values (new.id, all_grams(new.name), all_grams(replace(new.mac, ':', '')))
      on conflict (device_id) do update set name_grams = excluded.name_grams, mac_grams = excluded.mac_grams;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    with changed as materialized (
      select id, owner_id, time_zone, lease, expires_at, waiting, sum(sign) as sign from (select -1 as sign, id, owner_id, time_zone, lease, expires_at, done_revision < revision as waiting from old_rows) r
      group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
    ), moved as (
      select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
    )
    select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
    from changed c cross join lateral (values
      ('devices', '', '-infinity'::timestamptz, true),
      ('waiting', '', '-infinity', c.waiting),
      ('online', c.lease::text, '-infinity', c.lease is not null),
      ('expires', '', c.expires_at, c.expires_at is not null)
    ) v(subject, part, at, holds)
    where v.holds group by 1, 2, 3, 4
    union all
    select m.owner_id, 'plays', m.time_zone, p.day::timestamp at time zone 'UTC', sum(m.sign * p.plays)
    from moved m join play_days p on p.device_id = m.id and p.day >= (now() at time zone 'UTC')::date - 15
    group by 1, 2, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.devices_tally_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    with changed as materialized (
      select id, owner_id, time_zone, lease, expires_at, waiting, sum(sign) as sign from (select 1 as sign, id, owner_id, time_zone, lease, expires_at, done_revision < revision as waiting from new_rows) r
      group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
    ), moved as (
      select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
    )
    select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
    from changed c cross join lateral (values
      ('devices', '', '-infinity'::timestamptz, true),
      ('waiting', '', '-infinity', c.waiting),
      ('online', c.lease::text, '-infinity', c.lease is not null),
      ('expires', '', c.expires_at, c.expires_at is not null)
    ) v(subject, part, at, holds)
    where v.holds group by 1, 2, 3, 4
    union all
    select m.owner_id, 'plays', m.time_zone, p.day::timestamp at time zone 'UTC', sum(m.sign * p.plays)
    from moved m join play_days p on p.device_id = m.id and p.day >= (now() at time zone 'UTC')::date - 15
    group by 1, 2, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.devices_tally_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    with changed as materialized (
      select id, owner_id, time_zone, lease, expires_at, waiting, sum(sign) as sign from (select 1 as sign, id, owner_id, time_zone, lease, expires_at, done_revision < revision as waiting from new_rows union all select -1 as sign, id, owner_id, time_zone, lease, expires_at, done_revision < revision as waiting from old_rows) r
      group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
    ), moved as (
      select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
    )
    select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
    from changed c cross join lateral (values
      ('devices', '', '-infinity'::timestamptz, true),
      ('waiting', '', '-infinity', c.waiting),
      ('online', c.lease::text, '-infinity', c.lease is not null),
      ('expires', '', c.expires_at, c.expires_at is not null)
    ) v(subject, part, at, holds)
    where v.holds group by 1, 2, 3, 4
    union all
    select m.owner_id, 'plays', m.time_zone, p.day::timestamp at time zone 'UTC', sum(m.sign * p.plays)
    from moved m join play_days p on p.device_id = m.id and p.day >= (now() at time zone 'UTC')::date - 15
    group by 1, 2, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.files_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign * v.n) as n
    from (select -1 as sign, owner_id, media, sha256 from old_rows) r join blobs b on b.sha256 = r.sha256 cross join lateral (values
      (case when r.media = 'video' then 'videos' else 'images' end, 1), ('bytes', b.bytes)
    ) v(subject, n)
    group by 1, 2) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.files_tally_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign * v.n) as n
    from (select 1 as sign, owner_id, media, sha256 from new_rows) r join blobs b on b.sha256 = r.sha256 cross join lateral (values
      (case when r.media = 'video' then 'videos' else 'images' end, 1), ('bytes', b.bytes)
    ) v(subject, n)
    group by 1, 2) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.files_tally_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign * v.n) as n
    from (select 1 as sign, owner_id, media, sha256 from new_rows union all select -1 as sign, owner_id, media, sha256 from old_rows) r join blobs b on b.sha256 = r.sha256 cross join lateral (values
      (case when r.media = 'video' then 'videos' else 'images' end, 1), ('bytes', b.bytes)
    ) v(subject, n)
    group by 1, 2) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.grams(words text, length integer)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT array_agg(DISTINCT substr(lower(grams.words), start.start, grams.length)) AS array_agg FROM generate_series(1, ((char_length(grams.words) - grams.length) + 1)) start(start));

CREATE OR REPLACE FUNCTION public.play_days_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
      with changed as materialized (
        select device_id, day, sum(sign * plays) as n from (select -1 as sign, device_id, day, plays from old_rows) r
        where day >= (now() at time zone 'UTC')::date - 15 group by 1, 2 having sum(sign * plays) <> 0
      ), device as materialized (
        select d.id, d.owner_id, d.time_zone from devices d
        where d.id in (select device_id from changed) order by d.id for share
      )
      select m.owner_id, 'plays' as subject, m.time_zone as part, c.day::timestamp at time zone 'UTC' as at,
        sum(c.n) as n
      from changed c join device m on m.id = c.device_id group by 1, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.play_days_tally_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
      with changed as materialized (
        select device_id, day, sum(sign * plays) as n from (select 1 as sign, device_id, day, plays from new_rows) r
        where day >= (now() at time zone 'UTC')::date - 15 group by 1, 2 having sum(sign * plays) <> 0
      ), device as materialized (
        select d.id, d.owner_id, d.time_zone from devices d
        where d.id in (select device_id from changed) order by d.id for share
      )
      select m.owner_id, 'plays' as subject, m.time_zone as part, c.day::timestamp at time zone 'UTC' as at,
        sum(c.n) as n
      from changed c join device m on m.id = c.device_id group by 1, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.play_days_tally_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
      with changed as materialized (
        select device_id, day, sum(sign * plays) as n from (select 1 as sign, device_id, day, plays from new_rows union all select -1 as sign, device_id, day, plays from old_rows) r
        where day >= (now() at time zone 'UTC')::date - 15 group by 1, 2 having sum(sign * plays) <> 0
      ), device as materialized (
        select d.id, d.owner_id, d.time_zone from devices d
        where d.id in (select device_id from changed) order by d.id for share
      )
      select m.owner_id, 'plays' as subject, m.time_zone as part, c.day::timestamp at time zone 'UTC' as at,
        sum(c.n) as n
      from changed c join device m on m.id = c.device_id group by 1, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.releases_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
        with changed as materialized (
          select ad_id, sum(sign) as n from (select -1 as sign, ad_id, withdrawn_at from old_rows) r
          where withdrawn_at is null group by 1 having sum(sign) <> 0
        ), locked as materialized (
          select a.id from ads a where a.id in (select ad_id from changed) order by a.id for no key update
        )
        update ads a set live_releases = live_releases + c.n from changed c join locked l on l.id = c.ad_id
        where a.id = l.id;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.releases_tally_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
        with changed as materialized (
          select ad_id, sum(sign) as n from (select 1 as sign, ad_id, withdrawn_at from new_rows) r
          where withdrawn_at is null group by 1 having sum(sign) <> 0
        ), locked as materialized (
          select a.id from ads a where a.id in (select ad_id from changed) order by a.id for no key update
        )
        update ads a set live_releases = live_releases + c.n from changed c join locked l on l.id = c.ad_id
        where a.id = l.id;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.releases_tally_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
        with changed as materialized (
          select ad_id, sum(sign) as n from (select 1 as sign, ad_id, withdrawn_at from new_rows union all select -1 as sign, ad_id, withdrawn_at from old_rows) r
          where withdrawn_at is null group by 1 having sum(sign) <> 0
        ), locked as materialized (
          select a.id from ads a where a.id in (select ad_id from changed) order by a.id for no key update
        )
        update ads a set live_releases = live_releases + c.n from changed c join locked l on l.id = c.ad_id
        where a.id = l.id;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.users_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
      -- What is busy is left to the job that folds tallies.
      delete from tallies where id in (
        select t.id from tallies t where t.user_id in (select id from old_rows) for update skip locked);
      return null;
    end $function$;


-- Tables

create table ad_items (
  ad_id uuid not null,
  region text not null,
  "position" integer not null,
  file_id uuid,
  seconds integer,
  kind text not null
);

create table ads (
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  orientation text constraint ads_screen_not_null not null,
  split text not null,
  dual boolean not null,
  play_mode text not null,
  show_clock boolean not null,
  fit text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  live_releases integer default 0 not null
);

create table alerts (
  user_id uuid not null,
  email text,
  webhook text,
  secret text not null,
  offline_minutes integer,
  expiring_days integer,
  language text not null,
  email_trouble text,
  webhook_trouble text,
  email_confirmed text
);

create table alerts_told (
  user_id uuid not null,
  device_id uuid not null,
  occasion text not null
);

create table apps (
  id uuid not null,
  name text not null,
  content text not null,
  forced boolean not null,
  istype smallint not null,
  package text not null,
  code bigint not null,
  version text not null,
  sha256 text not null,
  icon_sha256 text,
  published boolean default false not null,
  uploaded_by uuid,
  created_at timestamp with time zone default now() not null,
  signer text,
  predecessors text[] default '{}'::text[] not null
);

create table audit (
  id uuid not null,
  at timestamp with time zone default now() not null,
  actor_id uuid,
  actor_name text not null,
  scope_id uuid not null,
  action text not null,
  target_id text,
  target text,
  details jsonb
);

create table batch_devices (
  batch_id uuid not null,
  place integer not null,
  device_id uuid not null,
  mac text,
  name text,
  error text
);

create table batches (
  id uuid not null,
  operator_id uuid not null,
  task jsonb not null,
  total integer not null,
  reached integer default 0 not null,
  failed integer default 0 not null,
  started_at timestamp with time zone default now() not null,
  moved_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone
);

create table blobs (
  sha256 text not null,
  bytes bigint not null,
  mime text,
  width integer,
  height integer,
  duration_ms integer,
  state text not null,
  failure text,
  play_sha256 text,
  play_bytes bigint,
  poster_sha256 text,
  created_at timestamp with time zone default now() not null,
  progress smallint
);

create table captchas (
  id uuid not null,
  answer text not null,
  expires_at timestamp with time zone not null
);

create table challenges (
  token_hash bytea not null,
  user_id uuid not null,
  secret text,
  tries integer default 0 not null,
  expires_at timestamp with time zone not null,
  purpose text,
  session_hash bytea
);

create table deleted_macs (
  mac text not null,
  expires_on date,
  paired_at timestamp with time zone,
  deleted_at timestamp with time zone default now() not null
);

create table device_commands (
  device_id uuid not null,
  command text not null,
  operator_id uuid
);

create table device_pairings (
  device_id uuid not null,
  at timestamp with time zone default now() not null,
  kind text not null,
  by_name text,
  address text
);

create table device_words (
  device_id uuid not null,
  name_grams text[] not null,
  mac_grams text[] not null
);

create table devices (
  id uuid not null,
  mac text not null,
  name text default ''::text not null,
  owner_id uuid not null,
  operator_id uuid,
  secret_hash bytea,
  paired_at timestamp with time zone,
  time_zone text default 'UTC'::text not null,
  expires_on date,
  expires_at timestamp with time zone,
  expired_told boolean default false not null,
  screens jsonb default '[]'::jsonb not null,
  player_version text,
  player_kind text,
  lease uuid,
  last_seen_at timestamp with time zone,
  revision bigint default 1 not null,
  manifest_revision bigint default 0 not null,
  manifest_version text,
  reported_revision bigint default 0 not null,
  reported_version text,
  done_revision bigint default 0 not null,
  download jsonb,
  free_bytes bigint,
  playing jsonb,
  playing_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  silent boolean default false not null,
  app_package text,
  app_code bigint
) with (fillfactor=70);

create table email_codes (
  user_id uuid not null,
  email text not null,
  code_hash bytea not null,
  tries integer default 0 not null,
  sent_at timestamp with time zone default now() not null,
  sends integer default 1 not null,
  since timestamp with time zone default now() not null
);

create table files (
  id uuid not null,
  owner_id uuid not null,
  uploaded_by uuid,
  name text not null,
  orientation text constraint files_screen_not_null not null,
  kind smallint constraint files_type_not_null not null,
  sha256 text not null,
  created_at timestamp with time zone default now() not null,
  attempts smallint default 0 not null,
  step text,
  progress smallint,
  media text generated always as (
CASE
    WHEN (kind = 2) THEN 'video'::text
    ELSE 'image'::text
END) stored not null
);

create table idempotency_keys (
  id bytea not null,
  fingerprint bytea not null,
  process_id uuid not null,
  answer bytea,
  made_at timestamp with time zone default now() not null
);

create table invitations (
  code text not null,
  role text not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  used_at timestamp with time zone,
  used_by uuid
);

create table job_workers (
  worker_id text not null,
  process_id uuid not null
);

create table known_browsers (
  token_hash bytea not null,
  user_id uuid not null,
  failures integer default 0 not null,
  failed_at timestamp with time zone,
  used_at timestamp with time zone default now() not null
);

create table login_failures (
  username_key text not null,
  count integer not null,
  last_at timestamp with time zone not null
);

create table pairings (
  mac text not null,
  secret_hash bytea not null,
  code text not null,
  expires_at timestamp with time zone not null,
  tries integer default 0 not null,
  screens jsonb not null,
  time_zone text not null,
  player_version text,
  player_kind text,
  used_by uuid,
  network text,
  address text,
  created_at timestamp with time zone default now() not null
);

create table play_days (
  day date not null,
  device_id uuid not null,
  plays integer not null,
  duration_ms bigint not null
);

create table play_inboxes (
  device_id uuid not null,
  batches uuid[] default '{}'::uuid[] not null
);

create table play_item_days (
  device_id uuid not null,
  item_id integer not null,
  day date not null,
  plays integer not null,
  duration_ms bigint not null,
  hour_plays integer[] not null,
  hour_ms integer[] not null
) with (fillfactor=85);

create table play_item_months (
  device_id uuid not null,
  item_id integer not null,
  month date not null,
  plays_to integer[] not null,
  ms_to bigint[] not null
) with (fillfactor=85);

create table play_items (
  id integer generated always as identity not null,
  release_id uuid not null,
  sha256 text,
  screen text not null,
  file_id uuid,
  file_name text not null,
  length_ms integer,
  kind text default 'file'::text not null
);

create table plays (
  device_id uuid constraint plays_device_id_not_null1 not null,
  at timestamp with time zone constraint plays_at_not_null1 not null,
  item_id integer not null,
  duration_ms integer constraint plays_duration_ms_not_null1 not null,
  nth smallint not null,
  received_on date default ((now() AT TIME ZONE 'UTC'::text))::date not null
) partition by RANGE (received_on);

create table presence_changes (
  device_id uuid not null,
  at timestamp with time zone not null,
  online boolean not null
);

create table presence_samples (
  user_id uuid not null,
  at timestamp with time zone constraint presence_samples_at_not_null1 not null,
  below boolean not null,
  online integer constraint presence_samples_online_not_null1 not null
);

create table processing_lanes (
  lane text not null,
  now bigint not null
);

create table processing_turns (
  lane text not null,
  owner_id uuid not null,
  turn bigint not null
);

create unlogged table rate_limits (
  key text not null,
  count integer not null,
  ends_at timestamp with time zone not null
);

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null
);

create table release_devices (
  release_id uuid not null,
  device_id uuid not null,
  revision bigint,
  withdrawn_at timestamp with time zone,
  stage smallint default 0 not null,
  started_at timestamp with time zone default now()
);

create table release_files (
  release_id uuid not null,
  file_id uuid not null,
  sha256 text not null,
  bytes bigint not null,
  mime text not null,
  "position" integer not null
);

create table releases (
  id uuid not null,
  ad_id uuid not null,
  ad_name text not null,
  owner_id uuid not null,
  operator_id uuid,
  screen text,
  replace boolean not null,
  priority text not null,
  schedule jsonb,
  programme jsonb not null,
  released_at timestamp with time zone default now() not null,
  withdrawn_at timestamp with time zone,
  withdrawn_by uuid,
  stages jsonb,
  go_on_at smallint,
  stop_above smallint,
  stage smallint default 0 not null,
  rollout text,
  pause_reason text
);

create table screenshots (
  device_id uuid not null,
  screen text not null,
  taken_at timestamp with time zone default now() not null,
  picture bytea not null
);

create table secrets (
  name text not null,
  value bytea not null
);

create table server_processes (
  id uuid not null,
  beat_at timestamp with time zone default now() not null
);

create table sessions (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  renewed boolean default false not null,
  failures integer default 0 not null,
  failed_at timestamp with time zone
);

create table tallies (
  id bigint generated always as identity not null,
  user_id uuid not null,
  below boolean not null,
  subject text not null,
  part text not null,
  at timestamp with time zone not null,
  n bigint not null
) with (fillfactor=70);

create table unparsable_contents (
  sha256 text not null,
  failure text not null,
  found_at timestamp with time zone default now() not null
);

create table upload_locks (
  id uuid not null,
  holder uuid not null,
  process uuid not null
);

create table uploads (
  id uuid not null,
  uploader_id uuid not null,
  purpose text constraint uploads_kind_not_null not null,
  metadata jsonb not null,
  size bigint not null,
  place text not null,
  head bytea default '\x'::bytea not null,
  hashed bigint default 0 not null,
  hash_state bytea,
  sha256 text,
  created_at timestamp with time zone default now() not null,
  touched_at timestamp with time zone default now() not null
);

create table user_scopes (
  ancestor_id uuid not null,
  user_id uuid not null
);

create table users (
  id uuid not null,
  username text not null,
  username_key text not null,
  password_hash text not null,
  role text not null,
  phone text,
  superior_id uuid,
  disabled boolean default false not null,
  remark text,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  totp_secret text,
  totp_step bigint default 0 not null,
  second_factor_below boolean default false not null,
  name_grams text[] generated always as (all_grams(username_key)) stored not null,
  code_failures integer default 0 not null,
  code_failed_at timestamp with time zone,
  quota_bytes bigint
);


-- Storage

alter table screenshots alter column picture set storage external;


-- Keys and checks

alter table ad_items add constraint ad_items_pkey PRIMARY KEY (ad_id, region, "position");

alter table ads add constraint ads_pkey PRIMARY KEY (id);

alter table alerts add constraint alerts_pkey PRIMARY KEY (user_id);

alter table alerts_told add constraint alerts_told_pkey PRIMARY KEY (user_id, device_id, occasion);

alter table apps add constraint apps_pkey PRIMARY KEY (id);

alter table audit add constraint audit_pkey PRIMARY KEY (id);

alter table batch_devices add constraint batch_devices_pkey PRIMARY KEY (batch_id, place);

alter table batches add constraint batches_pkey PRIMARY KEY (id);

alter table blobs add constraint blobs_pkey PRIMARY KEY (sha256);

alter table captchas add constraint captchas_pkey PRIMARY KEY (id);

alter table challenges add constraint challenges_pkey PRIMARY KEY (token_hash);

alter table deleted_macs add constraint deleted_macs_pkey PRIMARY KEY (mac);

alter table device_commands add constraint device_commands_pkey PRIMARY KEY (device_id, command);

alter table device_pairings add constraint device_pairings_pkey PRIMARY KEY (device_id, at);

alter table device_words add constraint device_words_pkey PRIMARY KEY (device_id);

alter table devices add constraint devices_pkey PRIMARY KEY (id);

alter table email_codes add constraint email_codes_pkey PRIMARY KEY (user_id);

alter table files add constraint files_pkey PRIMARY KEY (id);

alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (id);

alter table invitations add constraint invitations_pkey PRIMARY KEY (code);

alter table job_workers add constraint job_workers_pkey PRIMARY KEY (worker_id);

alter table known_browsers add constraint known_browsers_pkey PRIMARY KEY (token_hash, user_id);

alter table login_failures add constraint login_failures_pkey PRIMARY KEY (username_key);

alter table pairings add constraint pairings_pkey PRIMARY KEY (mac, secret_hash);

alter table play_days add constraint play_days_pkey PRIMARY KEY (device_id, day);

alter table play_inboxes add constraint play_inboxes_pkey PRIMARY KEY (device_id);

alter table play_item_days add constraint play_item_days_pkey PRIMARY KEY (device_id, day, item_id);

alter table play_item_months add constraint play_item_months_pkey PRIMARY KEY (device_id, month, item_id);

alter table play_items add constraint play_items_pkey PRIMARY KEY (id);

alter table presence_changes add constraint presence_changes_pkey PRIMARY KEY (device_id, at);

alter table presence_samples add constraint presence_samples_pkey1 PRIMARY KEY (user_id, at, below);

alter table processing_lanes add constraint processing_lanes_pkey PRIMARY KEY (lane);

alter table processing_turns add constraint processing_turns_pkey PRIMARY KEY (lane, owner_id);

alter table rate_limits add constraint rate_limits_pkey PRIMARY KEY (key);

alter table recovery_codes add constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

alter table release_devices add constraint release_devices_pkey PRIMARY KEY (release_id, device_id);

alter table release_files add constraint release_files_pkey PRIMARY KEY (release_id, "position");

alter table releases add constraint releases_pkey PRIMARY KEY (id);

alter table screenshots add constraint screenshots_pkey PRIMARY KEY (device_id, screen);

alter table secrets add constraint secrets_pkey PRIMARY KEY (name);

alter table server_processes add constraint server_processes_pkey PRIMARY KEY (id);

alter table sessions add constraint sessions_pkey PRIMARY KEY (token_hash);

alter table tallies add constraint tallies_pkey PRIMARY KEY (id);

alter table unparsable_contents add constraint unparsable_contents_pkey PRIMARY KEY (sha256);

alter table upload_locks add constraint upload_locks_pkey PRIMARY KEY (id);

alter table uploads add constraint uploads_pkey PRIMARY KEY (id);

alter table user_scopes add constraint user_scopes_pkey PRIMARY KEY (ancestor_id, user_id);

alter table users add constraint users_pkey PRIMARY KEY (id);

alter table ad_items add constraint ad_items_file CHECK (((kind = 'file'::text) = (file_id IS NOT NULL)));

alter table alerts_told add constraint alerts_told_occasion_check CHECK ((occasion = ANY (ARRAY['offline'::text, 'expiring'::text])));

alter table apps add constraint apps_istype_check CHECK (((istype >= 1) AND (istype <= 3)));

alter table blobs add constraint blobs_state_check CHECK ((state = ANY (ARRAY['processing'::text, 'ready'::text, 'failed'::text])));

alter table challenges add constraint challenges_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'setup'::text])));

alter table device_pairings add constraint device_pairings_kind_check CHECK ((kind = ANY (ARRAY['new'::text, 'key'::text, 'replaced'::text])));

alter table devices add constraint devices_mac_key UNIQUE (mac);

alter table devices add constraint devices_secret_hash_key UNIQUE (secret_hash);

alter table files add constraint files_step_check CHECK ((step = ANY (ARRAY['examine'::text, 'convert'::text])));

alter table invitations add constraint invitations_role_check CHECK ((role = ANY (ARRAY['leading'::text, 'member'::text])));

alter table play_items add constraint play_items_file CHECK (((kind <> 'file'::text) OR (sha256 IS NOT NULL)));

alter table play_items add constraint play_items_release_id_sha256_screen_key UNIQUE (release_id, sha256, screen);

alter table release_devices add constraint release_devices_check CHECK (((started_at IS NULL) = (revision IS NULL)));

alter table releases add constraint releases_check CHECK (((stages IS NULL) = (rollout IS NULL)));

alter table releases add constraint releases_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['operatorDisabled'::text, 'operatorDemoted'::text, 'operatorDeleted'::text])));

alter table releases add constraint releases_rollout_check CHECK ((rollout = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text, 'complete'::text])));

alter table users add constraint users_quota_bytes_check CHECK ((quota_bytes >= 0));

alter table users add constraint users_role_check CHECK ((role = ANY (ARRAY['leading'::text, 'member'::text])));

alter table users add constraint users_username_key_key UNIQUE (username_key);


-- References

alter table ad_items add constraint ad_items_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE;

alter table ad_items add constraint ad_items_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE;

alter table ads add constraint ads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table alerts add constraint alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table alerts_told add constraint alerts_told_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table alerts_told add constraint alerts_told_user_id_fkey FOREIGN KEY (user_id) REFERENCES alerts(user_id) ON DELETE CASCADE;

alter table apps add constraint apps_icon_sha256_fkey FOREIGN KEY (icon_sha256) REFERENCES blobs(sha256);

alter table apps add constraint apps_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256);

alter table apps add constraint apps_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id) ON DELETE SET NULL;

alter table audit add constraint audit_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL;

alter table audit add constraint audit_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES users(id);

alter table batch_devices add constraint batch_devices_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE;

alter table batches add constraint batches_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE CASCADE;

alter table challenges add constraint challenges_session_hash_fkey FOREIGN KEY (session_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE;

alter table challenges add constraint challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table device_commands add constraint device_commands_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_commands add constraint device_commands_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE CASCADE;

alter table device_pairings add constraint device_pairings_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_words add constraint device_words_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table devices add constraint devices_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE SET NULL;

alter table devices add constraint devices_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table email_codes add constraint email_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table files add constraint files_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table files add constraint files_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256);

alter table files add constraint files_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id) ON DELETE SET NULL;

alter table invitations add constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table invitations add constraint invitations_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE SET NULL;

alter table known_browsers add constraint known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table pairings add constraint pairings_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE CASCADE;

alter table play_days add constraint play_days_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table play_inboxes add constraint play_inboxes_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table play_item_days add constraint play_item_days_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table play_item_months add constraint play_item_months_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table play_items add constraint play_items_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

alter table presence_changes add constraint presence_changes_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table presence_samples add constraint presence_samples_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table release_devices add constraint release_devices_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table release_devices add constraint release_devices_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

alter table release_files add constraint release_files_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

alter table releases add constraint releases_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE SET NULL;

alter table releases add constraint releases_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table releases add constraint releases_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES users(id) ON DELETE SET NULL;

alter table screenshots add constraint screenshots_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table user_scopes add constraint user_scopes_ancestor_id_fkey FOREIGN KEY (ancestor_id) REFERENCES users(id) ON DELETE CASCADE;

alter table user_scopes add constraint user_scopes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table users add constraint users_superior_id_fkey FOREIGN KEY (superior_id) REFERENCES users(id);


-- Indexes

CREATE INDEX ad_items_file ON public.ad_items USING btree (file_id);

CREATE INDEX ads_newest ON public.ads USING btree (created_at DESC, id DESC);

CREATE INDEX ads_owner ON public.ads USING btree (owner_id, orientation, created_at DESC, id DESC);

CREATE INDEX alerts_told_device ON public.alerts_told USING btree (device_id);

CREATE INDEX apps_blob ON public.apps USING btree (sha256);

CREATE INDEX apps_icon ON public.apps USING btree (icon_sha256);

CREATE INDEX apps_newest ON public.apps USING btree (created_at DESC, id DESC);

CREATE INDEX apps_package ON public.apps USING btree (package, code DESC);

CREATE INDEX apps_publisher ON public.apps USING btree (uploaded_by);

CREATE INDEX audit_actor ON public.audit USING btree (actor_id, at DESC, id DESC);

CREATE INDEX audit_newest ON public.audit USING btree (at DESC, id DESC);

CREATE INDEX audit_scope ON public.audit USING btree (scope_id, at DESC, id DESC);

CREATE INDEX batch_devices_failed ON public.batch_devices USING btree (batch_id, place) WHERE (error IS NOT NULL);

CREATE INDEX batches_started ON public.batches USING btree (started_at);

CREATE INDEX batches_unfinished ON public.batches USING btree (moved_at) WHERE (finished_at IS NULL);

CREATE INDEX blobs_play ON public.blobs USING btree (play_sha256);

CREATE INDEX blobs_poster ON public.blobs USING btree (poster_sha256);

CREATE INDEX challenges_expiry ON public.challenges USING btree (expires_at);

CREATE INDEX challenges_session ON public.challenges USING btree (session_hash);

CREATE INDEX challenges_user ON public.challenges USING btree (user_id);

CREATE INDEX device_commands_operator ON public.device_commands USING btree (operator_id);

CREATE INDEX device_words_mac ON public.device_words USING gin (mac_grams);

CREATE INDEX device_words_name ON public.device_words USING gin (name_grams);

CREATE INDEX devices_back ON public.devices USING btree (expires_at) WHERE expired_told;

CREATE INDEX devices_expires ON public.devices USING btree (expires_at, id) INCLUDE (owner_id);

CREATE INDEX devices_expiry ON public.devices USING btree (expires_at) WHERE (NOT expired_told);

CREATE INDEX devices_lease ON public.devices USING btree (lease);

CREATE INDEX devices_newest ON public.devices USING btree (created_at DESC, id DESC);

CREATE INDEX devices_owner ON public.devices USING btree (owner_id, created_at DESC, id DESC);

CREATE INDEX devices_owner_expires ON public.devices USING btree (owner_id, expires_at, id);

CREATE INDEX devices_waiting ON public.devices USING btree (created_at DESC, id DESC) WHERE (done_revision < revision);

CREATE INDEX files_blob ON public.files USING btree (sha256);

CREATE INDEX files_in_processing ON public.files USING btree (id) WHERE (step IS NOT NULL);

CREATE INDEX files_newest ON public.files USING btree (created_at DESC, id DESC);

CREATE INDEX files_owner ON public.files USING btree (owner_id, orientation, kind, created_at DESC, id DESC);

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (made_at);

CREATE INDEX invitations_maker ON public.invitations USING btree (created_by, created_at DESC, code DESC);

CREATE INDEX job_workers_process ON public.job_workers USING btree (process_id);

CREATE INDEX known_browsers_user ON public.known_browsers USING btree (user_id, used_at DESC);

CREATE UNIQUE INDEX pairings_code ON public.pairings USING btree (code) WHERE (used_by IS NULL);

CREATE INDEX pairings_expiry ON public.pairings USING btree (expires_at);

CREATE INDEX pairings_network ON public.pairings USING btree (network);

CREATE INDEX play_days_day ON public.play_days USING btree (day);

CREATE INDEX play_item_days_day ON public.play_item_days USING brin (day) WITH (pages_per_range='32');

CREATE INDEX play_item_days_item ON public.play_item_days USING btree (item_id, day);

CREATE INDEX play_item_months_item ON public.play_item_months USING btree (item_id, month);

CREATE INDEX play_item_months_month ON public.play_item_months USING btree (month);

CREATE INDEX play_items_file ON public.play_items USING btree (file_id);

CREATE INDEX plays_of_device ON ONLY public.plays USING btree (device_id, at);

CREATE INDEX presence_changes_at ON public.presence_changes USING btree (at);

CREATE INDEX presence_samples_at ON public.presence_samples USING btree (at);

CREATE INDEX rate_limits_end ON public.rate_limits USING btree (ends_at);

CREATE INDEX release_devices_device ON public.release_devices USING btree (device_id);

CREATE INDEX release_files_blob ON public.release_files USING btree (sha256);

CREATE INDEX release_files_file ON public.release_files USING btree (file_id);

CREATE INDEX releases_ad ON public.releases USING btree (ad_id, released_at DESC);

CREATE INDEX releases_newest ON public.releases USING btree (released_at DESC, id DESC);

CREATE INDEX releases_operator ON public.releases USING btree (operator_id) WHERE ((rollout = 'running'::text) AND (withdrawn_at IS NULL));

CREATE INDEX releases_owner ON public.releases USING btree (owner_id, released_at DESC, id DESC);

CREATE INDEX releases_running ON public.releases USING btree (id) WHERE ((rollout = 'running'::text) AND (withdrawn_at IS NULL));

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX tallies_key ON public.tallies USING btree (user_id, subject, part, at, below);

CREATE INDEX uploads_owner ON public.uploads USING btree (((metadata ->> 'owner'::text)));

CREATE INDEX uploads_touched ON public.uploads USING btree (touched_at);

CREATE INDEX uploads_uploader ON public.uploads USING btree (uploader_id);

CREATE INDEX user_scopes_user ON public.user_scopes USING btree (user_id);

CREATE INDEX users_disabled ON public.users USING btree (id) WHERE disabled;

CREATE INDEX users_newest ON public.users USING btree (created_at DESC, id DESC);

CREATE INDEX users_superior ON public.users USING btree (superior_id);

CREATE INDEX users_words ON public.users USING gin (name_grams);


-- Views

create view living_processes as
 SELECT id
   FROM server_processes
  WHERE ((beat_at > (now() - '00:00:15'::interval)) AND (beat_at < (now() + '00:00:05'::interval)));

create view devices_now as
 SELECT id,
    mac,
    name,
    owner_id,
    operator_id,
    secret_hash,
    paired_at,
    time_zone,
    expires_on,
    expires_at,
    expired_told,
    screens,
    player_version,
    player_kind,
    lease,
    last_seen_at,
    revision,
    manifest_revision,
    manifest_version,
    reported_revision,
    reported_version,
    done_revision,
    download,
    free_bytes,
    playing,
    playing_at,
    created_at,
    silent,
    (EXISTS ( SELECT
           FROM living_processes p
          WHERE (p.id = d.lease))) AS online,
    (done_revision >= revision) AS done,
    COALESCE((expires_at <= now()), false) AS expired,
    COALESCE(((expires_at > now()) AND (expires_at <= (now() + '720:00:00'::interval))), false) AS expiring
   FROM devices d;


-- Triggers

CREATE TRIGGER ads_tally_delete AFTER DELETE ON public.ads REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ads_tally_delete();

CREATE TRIGGER ads_tally_insert AFTER INSERT ON public.ads REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ads_tally_insert();

CREATE TRIGGER ads_tally_update AFTER UPDATE ON public.ads REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ads_tally_update();

CREATE TRIGGER devices_forget_plays BEFORE DELETE ON public.devices FOR EACH ROW EXECUTE FUNCTION devices_forget_plays();

CREATE TRIGGER devices_note_words AFTER INSERT OR UPDATE OF name, mac ON public.devices FOR EACH ROW EXECUTE FUNCTION devices_note_words();

CREATE TRIGGER devices_tally_delete AFTER DELETE ON public.devices REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION devices_tally_delete();

CREATE TRIGGER devices_tally_insert AFTER INSERT ON public.devices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION devices_tally_insert();

CREATE TRIGGER devices_tally_update AFTER UPDATE ON public.devices REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION devices_tally_update();

CREATE TRIGGER files_tally_delete AFTER DELETE ON public.files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION files_tally_delete();

CREATE TRIGGER files_tally_insert AFTER INSERT ON public.files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION files_tally_insert();

CREATE TRIGGER files_tally_update AFTER UPDATE ON public.files REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION files_tally_update();

CREATE TRIGGER play_days_tally_delete AFTER DELETE ON public.play_days REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION play_days_tally_delete();

CREATE TRIGGER play_days_tally_insert AFTER INSERT ON public.play_days REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION play_days_tally_insert();

CREATE TRIGGER play_days_tally_update AFTER UPDATE ON public.play_days REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION play_days_tally_update();

CREATE TRIGGER releases_tally_delete AFTER DELETE ON public.releases REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION releases_tally_delete();

CREATE TRIGGER releases_tally_insert AFTER INSERT ON public.releases REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION releases_tally_insert();

CREATE TRIGGER releases_tally_update AFTER UPDATE ON public.releases REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION releases_tally_update();

CREATE TRIGGER users_tally_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION users_tally_delete();


set local check_function_bodies to default;
