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

CREATE OR REPLACE FUNCTION public.campaign_devices_joined()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
      perform note_carriers(array_agg(campaign_id order by campaign_id, device_id),
        array_agg(device_id order by campaign_id, device_id)) from added;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.campaign_devices_left()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
      update campaign_carriers k set left_at = now() from removed r
      where k.campaign_id = r.campaign_id and k.device_id = r.device_id and k.left_at is null;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.campaign_hours_note_sum()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into campaign_sums (campaign_id, device_id, spots)
      values (new.campaign_id, new.device_id, new.spots - case when tg_op = 'UPDATE' then old.spots else 0 end)
      on conflict (campaign_id, device_id) do update set spots = campaign_sums.spots + excluded.spots;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.default_hours(owner uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
      with recursive above as (
        select superior_id, working_hours from users where id = owner
        union all
        select u.superior_id, u.working_hours from above join users u on u.id = above.superior_id
        where above.working_hours is null
      )
      select working_hours from above where working_hours is not null
    $function$;

CREATE OR REPLACE FUNCTION public.device_revisions_begin_waits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into device_waits (device_id, failed)
        select device_id, failed from (select device_id, done_revision < revision as waits, done_revision < revision and reported_revision >= revision
  and coalesce(download ->> 'state' = 'failed', false) as failed from new_rows) n where waits;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.device_revisions_note_failures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
      if new.download ->> 'state' = 'failed' then
        insert into device_failures (device_id, since) values (new.device_id, now()) on conflict do nothing;
      else
        update device_failures set until = now() where device_id = new.device_id and until is null;
      end if;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.device_revisions_note_waits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare
      waiting uuid[];
      failing boolean[];
      done uuid[];
    begin
      select array_agg(device_id order by device_id) filter (where waits),
        array_agg(failed order by device_id) filter (where waits),
        array_agg(device_id order by device_id) filter (where not waits)
      into waiting, failing, done
      from (
        select device_id, waits, failed from (
          select 1 as sign, device_id, done_revision < revision as waits, done_revision < revision and reported_revision >= revision
  and coalesce(download ->> 'state' = 'failed', false) as failed from new_rows
          union all select -1 as sign, device_id, done_revision < revision as waits, done_revision < revision and reported_revision >= revision
  and coalesce(download ->> 'state' = 'failed', false) as failed from old_rows
        ) r group by 1, 2, 3 having sum(sign) > 0
      ) changed;
      if done is not null then
        delete from device_waits where device_id = any(done);
      end if;
      if waiting is not null then
        insert into device_waits (device_id, failed) select * from unnest(waiting, failing)
        on conflict (device_id) do update set failed = excluded.failed;
      end if;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.device_waits_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
      declare deltas tally_delta[];
      begin
        perform from devices d where d.id in (select device_id from old_rows)
          order by d.id for no key update;
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select device_id, since, failed, sum(sign) as sign from (select -1 as sign, device_id, since, failed from old_rows) r
            group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(w.sign) as n
          from changed w join devices c on c.id = w.device_id cross join lateral (values 
      ('waiting', '', '-infinity'::timestamptz, w.failed is not null),
      ('failed', '', '-infinity', w.failed),
      ('stalled', c.lease::text, date_bin('15 minutes', w.since, 'epoch'::timestamptz),
        c.lease is not null and not w.failed)
          ) v(subject, part, at, holds)
          where v.holds group by 1, 2, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.device_waits_tally_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
      declare deltas tally_delta[];
      begin
        perform from devices d where d.id in (select device_id from new_rows)
          order by d.id for no key update;
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select device_id, since, failed, sum(sign) as sign from (select 1 as sign, device_id, since, failed from new_rows) r
            group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(w.sign) as n
          from changed w join devices c on c.id = w.device_id cross join lateral (values 
      ('waiting', '', '-infinity'::timestamptz, w.failed is not null),
      ('failed', '', '-infinity', w.failed),
      ('stalled', c.lease::text, date_bin('15 minutes', w.since, 'epoch'::timestamptz),
        c.lease is not null and not w.failed)
          ) v(subject, part, at, holds)
          where v.holds group by 1, 2, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.device_waits_tally_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
      declare deltas tally_delta[];
      begin
        perform from devices d where d.id in (select device_id from new_rows)
          order by d.id for no key update;
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select device_id, since, failed, sum(sign) as sign from (select 1 as sign, device_id, since, failed from new_rows union all select -1 as sign, device_id, since, failed from old_rows) r
            group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(w.sign) as n
          from changed w join devices c on c.id = w.device_id cross join lateral (values 
      ('waiting', '', '-infinity'::timestamptz, w.failed is not null),
      ('failed', '', '-infinity', w.failed),
      ('stalled', c.lease::text, date_bin('15 minutes', w.since, 'epoch'::timestamptz),
        c.lease is not null and not w.failed)
          ) v(subject, part, at, holds)
          where v.holds group by 1, 2, 3, 4) d where d.n <> 0);
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.devices_add_revisions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into device_revisions (device_id) select id from new_rows;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_end_waits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      delete from device_waits where device_id = old.id;
      return old;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_forget_plays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      delete from play_days where device_id = old.id;
      return old;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_note_carriers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
      update campaign_carriers set name = old.name, area = old.area, time_zone = old.time_zone where device_id = old.id;
      return old;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_note_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into device_words (device_id, text_grams, mac_grams)
      values (new.id, all_grams(concat_ws(chr(10), new.name, new.area, new.address)), all_grams(replace(new.mac, ':', '')))
      on conflict (device_id) do update set text_grams = excluded.text_grams, mac_grams = excluded.mac_grams;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.devices_tally_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
      declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select id, owner_id, time_zone, lease, expires_at, paired, sum(sign) as sign
            from (select -1 as sign, id, owner_id, time_zone, lease, expires_at, paired_at is not null as paired from old_rows) r
            group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
          ), moved as (
            select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
          from changed c 
          cross join lateral (values
            ('devices', '', '-infinity'::timestamptz, true),
            ('paired', coalesce(c.lease::text, ''), '-infinity', c.paired),
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
 SET enable_seqscan TO 'off'
AS $function$
      declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select id, owner_id, time_zone, lease, expires_at, paired, sum(sign) as sign
            from (select 1 as sign, id, owner_id, time_zone, lease, expires_at, paired_at is not null as paired from new_rows) r
            group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
          ), moved as (
            select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
          from changed c 
          cross join lateral (values
            ('devices', '', '-infinity'::timestamptz, true),
            ('paired', coalesce(c.lease::text, ''), '-infinity', c.paired),
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
 SET enable_seqscan TO 'off'
AS $function$
      declare deltas tally_delta[];
      begin
        deltas := array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (
          with changed as materialized (
            select id, owner_id, time_zone, lease, expires_at, paired, sum(sign) as sign
            from (select 1 as sign, id, owner_id, time_zone, lease, expires_at, paired_at is not null as paired from new_rows union all select -1 as sign, id, owner_id, time_zone, lease, expires_at, paired_at is not null as paired from old_rows) r
            group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0
          ), moved as (
            select id, owner_id, time_zone, sum(sign) as sign from changed group by 1, 2, 3 having sum(sign) <> 0
          )
          select c.owner_id, v.subject, v.part, v.at, sum(c.sign) as n
          from changed c left join device_waits w on w.device_id = c.id
          cross join lateral (values
            ('devices', '', '-infinity'::timestamptz, true),
            ('paired', coalesce(c.lease::text, ''), '-infinity', c.paired),
            ('online', c.lease::text, '-infinity', c.lease is not null),
            ('expires', '', c.expires_at, c.expires_at is not null)
            , 
      ('waiting', '', '-infinity'::timestamptz, w.failed is not null),
      ('failed', '', '-infinity', w.failed),
      ('stalled', c.lease::text, date_bin('15 minutes', w.since, 'epoch'::timestamptz),
        c.lease is not null and not w.failed)
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

CREATE OR REPLACE FUNCTION public.is_within_hours(hours jsonb, at timestamp with time zone, zone text)
 RETURNS boolean
 LANGUAGE sql
 STABLE COST 500
AS $function$
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
    $function$;

CREATE OR REPLACE FUNCTION public.keep_default_hours()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    end $function$;

CREATE OR REPLACE FUNCTION public.keep_hours_of_device()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare before jsonb := coalesce(old.working_hours, default_hours(old.owner_id));
    begin
      if before is distinct from coalesce(new.working_hours, default_hours(new.owner_id)) then
        insert into past_hours values (old.id, now(), before) on conflict do nothing;
      end if;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION public.natural_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
      select regexp_replace(regexp_replace(
        regexp_replace(lower(normalize(name, nfkd)), '[\u0300-\u036f]', '', 'g'),
        '([0-9]+)', '00000000000\1', 'g'), '[0-9]*([0-9]{12})', '\1', 'g')
    $function$;

CREATE OR REPLACE FUNCTION public.note_carriers(campaign_ids uuid[], device_ids uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
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
    $function$;

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

CREATE OR REPLACE FUNCTION public.random_code()
 RETURNS text
 LANGUAGE sql
AS $function$
      select translate(encode(substring(uuid_send(gen_random_uuid()) from 11 for 6), 'base64'), '+/', '-_')
    $function$;

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

CREATE OR REPLACE FUNCTION public.sellable_share(owner uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
      with recursive above as (
        select u.superior_id, t.sellable from users u left join campaign_terms t on t.user_id = u.id where u.id = owner
        union all
        select u.superior_id, t.sellable
        from above join users u on u.id = above.superior_id left join campaign_terms t on t.user_id = u.id
        where above.sellable is null
      )
      select coalesce((select sellable from above where sellable is not null), 80)
    $function$;

CREATE OR REPLACE FUNCTION public.silent_hours(owner uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
      with recursive above as (
        select u.superior_id, t.silent_hours
        from users u left join campaign_terms t on t.user_id = u.id where u.id = owner
        union all
        select u.superior_id, t.silent_hours
        from above join users u on u.id = above.superior_id left join campaign_terms t on t.user_id = u.id
        where above.silent_hours is null
      )
      select coalesce((select silent_hours from above where silent_hours is not null), 24)
    $function$;

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
  live_releases integer default 0 not null,
  muted boolean default false not null,
  background text default '#000000'::text not null,
  qr jsonb
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
  email_confirmed text,
  group_id uuid
);

create table alerts_told (
  user_id uuid not null,
  device_id uuid not null,
  occasion text not null
);

create table alerts_told_campaigns (
  user_id uuid not null,
  campaign_id uuid not null,
  since timestamp with time zone not null
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
  details jsonb,
  person_name text,
  person_username text
);

create table batch_devices (
  batch_id uuid not null,
  place integer not null,
  device_id uuid not null,
  mac text,
  name text,
  error text,
  before jsonb,
  after jsonb,
  withdrawn uuid[]
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
  finished_at timestamp with time zone,
  undone_at timestamp with time zone,
  person_id uuid
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

create table campaign_carriers (
  campaign_id uuid not null,
  device_id uuid not null,
  joined_at timestamp with time zone not null,
  left_at timestamp with time zone,
  is_ordered boolean not null,
  every_ms bigint not null,
  spot_ms integer not null,
  name text not null,
  area text,
  time_zone text not null,
  expires_on date,
  hours jsonb
);

create table campaign_creatives (
  campaign_id uuid not null,
  "position" integer not null,
  ad_id uuid,
  ad_name text not null,
  ad_version timestamp with time zone,
  content_hash text,
  spot_ms integer,
  release_id uuid
);

create table campaign_devices (
  campaign_id uuid not null,
  device_id uuid not null,
  every_ms bigint not null,
  spot_ms integer not null,
  paced_from timestamp with time zone default now() not null,
  due_before double precision default 0 not null
);

create table campaign_hours (
  campaign_id uuid not null,
  device_id uuid not null,
  hour timestamp with time zone not null,
  release_id uuid not null,
  spots double precision not null,
  duration_ms bigint not null
);

create table campaign_sums (
  campaign_id uuid not null,
  device_id uuid not null,
  spots double precision not null
);

create table campaign_terms (
  user_id uuid not null,
  sellable integer,
  silent_hours integer
);

create table campaigns (
  id uuid not null,
  name text not null,
  customer_id uuid not null,
  created_by uuid,
  state text default 'draft'::text not null,
  orientation text not null,
  target jsonb not null,
  target_by uuid,
  group_id uuid,
  standing boolean default false not null,
  schedule jsonb not null,
  starts_on date not null,
  ends_on date not null,
  goal_kind text not null,
  goal_value numeric not null,
  price_kind text not null,
  price_amount numeric not null,
  price_currency text not null,
  ordered bigint,
  remark text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  requested_at timestamp with time zone,
  requested_by uuid,
  decided_at timestamp with time zone,
  decided_by uuid,
  cancelled_at timestamp with time zone,
  cancelled_by uuid,
  make_goods bigint default 0 not null,
  short bigint default 0 not null,
  short_since timestamp with time zone,
  delivered bigint default 0 not null,
  due bigint default 0 not null,
  forecast bigint default 0 not null
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

create table colleague_invitations (
  code text not null,
  account_id uuid not null,
  name text not null,
  access text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null
);

create table content_checks (
  sha256 text not null,
  measured jsonb,
  checked_at timestamp with time zone default now() not null
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

create table device_failures (
  device_id uuid not null,
  since timestamp with time zone not null,
  until timestamp with time zone
);

create table device_keys (
  device_id uuid not null,
  public_key jsonb not null,
  registered_at timestamp with time zone default now() not null
);

create table device_pairings (
  device_id uuid not null,
  at timestamp with time zone default now() not null,
  kind text not null,
  by_name text,
  address text
);

create table device_revisions (
  device_id uuid not null,
  revision bigint default 1 not null,
  manifest_revision bigint default 0 not null,
  manifest_version text,
  reported_revision bigint default 0 not null,
  reported_version text,
  done_revision bigint default 0 not null,
  download jsonb,
  operator_id uuid
) with (fillfactor=30);

create table device_waits (
  device_id uuid not null,
  since timestamp with time zone default now() not null,
  failed boolean not null
);

create table device_words (
  device_id uuid not null,
  text_grams text[] constraint device_words_name_grams_not_null not null,
  mac_grams text[] not null
);

create table devices (
  id uuid not null,
  mac text not null,
  name text default ''::text not null,
  owner_id uuid not null,
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
  free_bytes bigint,
  playing jsonb,
  playing_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  silent boolean default false not null,
  app_package text,
  app_code bigint,
  area text,
  address text,
  time_zone_set boolean default false not null,
  orientation text generated always as (
CASE
    WHEN ((((screens -> 0) ->> 'height'::text))::integer > (((screens -> 0) ->> 'width'::text))::integer) THEN 'vertical'::text
    WHEN ((((screens -> 0) ->> 'height'::text))::integer <= (((screens -> 0) ->> 'width'::text))::integer) THEN 'horizontal'::text
    ELSE NULL::text
END) stored,
  sound jsonb default '{"main": true, "secondary": false}'::jsonb not null,
  seen_at timestamp with time zone generated always as (
CASE
    WHEN (lease IS NOT NULL) THEN 'infinity'::timestamp with time zone
    ELSE COALESCE(last_seen_at, '-infinity'::timestamp with time zone)
END) stored not null,
  reported_zone text,
  tags text[] default '{}'::text[] not null,
  working_hours jsonb,
  volume smallint,
  volume_hours jsonb default '[]'::jsonb not null,
  brightness smallint,
  brightness_hours jsonb default '[]'::jsonb not null,
  scan_code text default random_code() not null
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

create table groups (
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  filter jsonb not null,
  bookable boolean default false not null,
  created_at timestamp with time zone default now() not null
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
  time_zone text,
  player_version text,
  player_kind text,
  used_by uuid,
  network text,
  address text,
  created_at timestamp with time zone default now() not null,
  public_key jsonb
);

create table parse_attempts (
  id uuid not null,
  sha256 text not null,
  task text not null,
  number smallint not null,
  process_id uuid,
  begun_at timestamp with time zone default now() not null
);

create table past_hours (
  device_id uuid not null,
  until timestamp with time zone not null,
  hours jsonb
);

create table play_chain_gaps (
  chain_id integer not null,
  first_seq bigint not null,
  last_seq bigint not null
);

create table play_chains (
  id integer generated always as identity not null,
  device_id uuid not null,
  mac text not null,
  public_key jsonb not null,
  registered_at timestamp with time zone not null,
  first_seq bigint not null,
  last_seq bigint not null,
  last_hash bytea not null
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
  kind text default 'file'::text not null,
  spot_part double precision
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
  started_at timestamp with time zone default now(),
  unmatched boolean default false not null
);

create table release_files (
  release_id uuid not null,
  file_id uuid not null,
  sha256 text not null,
  bytes bigint not null,
  mime text not null,
  "position" integer not null
);

create table release_requests (
  id uuid not null,
  ad_id uuid not null,
  ad_version timestamp with time zone not null,
  content_hash text not null,
  "order" jsonb,
  devices integer not null,
  requested_by uuid,
  requested_at timestamp with time zone default now() not null,
  state text default 'requested'::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  remark text
);

create table release_sends (
  release_id uuid not null,
  device_ids uuid[] not null,
  total integer not null,
  reached integer default 0 not null
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
  pause_reason text,
  ad_version timestamp with time zone,
  rank_at timestamp with time zone,
  standing_by uuid,
  ends_at timestamp with time zone,
  withdrawn_person uuid,
  campaign_id uuid,
  scan_code text default random_code() not null
);

create table scan_hours (
  release_id uuid not null,
  device_id uuid not null,
  hour timestamp with time zone not null,
  scans bigint not null
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

create table shares (
  id uuid not null,
  token_hash bytea not null,
  subject jsonb not null,
  title text not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone
);

create table signed_batches (
  chain_id integer not null,
  seq bigint not null,
  hash bytea not null,
  signature bytea not null,
  signed bytea not null,
  campaign_ids uuid[] not null,
  uncounted jsonb default '[]'::jsonb not null,
  received_on date default ((now() AT TIME ZONE 'UTC'::text))::date not null
);

create table standing_filters (
  release_id uuid not null,
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

create table standing_releases (
  release_id uuid not null,
  group_id uuid,
  scope_id uuid not null,
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
  touched_at timestamp with time zone default now() not null,
  person_id uuid
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
  quota_bytes bigint,
  working_hours jsonb,
  colleague_of uuid,
  name text,
  access text,
  disabled_above boolean default false not null,
  releases_need_approval boolean default false not null
);


-- Storage

alter table release_sends alter column device_ids set storage external;

alter table screenshots alter column picture set storage external;


-- Keys and checks

alter table ad_items add constraint ad_items_pkey PRIMARY KEY (ad_id, region, "position");

alter table ads add constraint ads_pkey PRIMARY KEY (id);

alter table alerts add constraint alerts_pkey PRIMARY KEY (user_id);

alter table alerts_told add constraint alerts_told_pkey PRIMARY KEY (user_id, device_id, occasion);

alter table alerts_told_campaigns add constraint alerts_told_campaigns_pkey PRIMARY KEY (user_id, campaign_id);

alter table apps add constraint apps_pkey PRIMARY KEY (id);

alter table audit add constraint audit_pkey PRIMARY KEY (id);

alter table batch_devices add constraint batch_devices_pkey PRIMARY KEY (batch_id, place);

alter table batches add constraint batches_pkey PRIMARY KEY (id);

alter table blobs add constraint blobs_pkey PRIMARY KEY (sha256);

alter table campaign_carriers add constraint campaign_carriers_pkey PRIMARY KEY (campaign_id, device_id, joined_at);

alter table campaign_creatives add constraint campaign_creatives_pkey PRIMARY KEY (campaign_id, "position");

alter table campaign_devices add constraint campaign_devices_pkey PRIMARY KEY (campaign_id, device_id);

alter table campaign_hours add constraint campaign_hours_pkey PRIMARY KEY (campaign_id, device_id, hour, release_id);

alter table campaign_sums add constraint campaign_sums_pkey PRIMARY KEY (campaign_id, device_id);

alter table campaign_terms add constraint campaign_terms_pkey PRIMARY KEY (user_id);

alter table campaigns add constraint campaigns_pkey PRIMARY KEY (id);

alter table captchas add constraint captchas_pkey PRIMARY KEY (id);

alter table challenges add constraint challenges_pkey PRIMARY KEY (token_hash);

alter table colleague_invitations add constraint colleague_invitations_pkey PRIMARY KEY (code);

alter table content_checks add constraint content_checks_pkey PRIMARY KEY (sha256);

alter table deleted_macs add constraint deleted_macs_pkey PRIMARY KEY (mac);

alter table device_commands add constraint device_commands_pkey PRIMARY KEY (device_id, command);

alter table device_failures add constraint device_failures_pkey PRIMARY KEY (device_id, since);

alter table device_keys add constraint device_keys_pkey PRIMARY KEY (device_id);

alter table device_pairings add constraint device_pairings_pkey PRIMARY KEY (device_id, at);

alter table device_revisions add constraint device_revisions_pkey PRIMARY KEY (device_id);

alter table device_waits add constraint device_waits_pkey PRIMARY KEY (device_id);

alter table device_words add constraint device_words_pkey PRIMARY KEY (device_id);

alter table devices add constraint devices_pkey PRIMARY KEY (id);

alter table email_codes add constraint email_codes_pkey PRIMARY KEY (user_id);

alter table files add constraint files_pkey PRIMARY KEY (id);

alter table groups add constraint groups_pkey PRIMARY KEY (id);

alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (id);

alter table invitations add constraint invitations_pkey PRIMARY KEY (code);

alter table job_workers add constraint job_workers_pkey PRIMARY KEY (worker_id);

alter table known_browsers add constraint known_browsers_pkey PRIMARY KEY (token_hash, user_id);

alter table login_failures add constraint login_failures_pkey PRIMARY KEY (username_key);

alter table pairings add constraint pairings_pkey PRIMARY KEY (mac, secret_hash);

alter table parse_attempts add constraint parse_attempts_pkey PRIMARY KEY (id);

alter table past_hours add constraint past_hours_pkey PRIMARY KEY (device_id, until);

alter table play_chain_gaps add constraint play_chain_gaps_pkey PRIMARY KEY (chain_id, first_seq, last_seq);

alter table play_chains add constraint play_chains_pkey PRIMARY KEY (id);

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

alter table release_requests add constraint release_requests_pkey PRIMARY KEY (id);

alter table release_sends add constraint release_sends_pkey PRIMARY KEY (release_id);

alter table releases add constraint releases_pkey PRIMARY KEY (id);

alter table scan_hours add constraint scan_hours_pkey PRIMARY KEY (release_id, device_id, hour);

alter table screenshots add constraint screenshots_pkey PRIMARY KEY (device_id, screen);

alter table secrets add constraint secrets_pkey PRIMARY KEY (name);

alter table server_processes add constraint server_processes_pkey PRIMARY KEY (id);

alter table sessions add constraint sessions_pkey PRIMARY KEY (token_hash);

alter table shares add constraint shares_pkey PRIMARY KEY (id);

alter table signed_batches add constraint signed_batches_pkey PRIMARY KEY (chain_id, seq, hash);

alter table standing_filters add constraint standing_filters_pkey PRIMARY KEY (release_id);

alter table standing_releases add constraint standing_releases_pkey PRIMARY KEY (release_id);

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

alter table campaign_devices add constraint campaign_devices_due_before_check CHECK ((due_before >= (0)::double precision));

alter table campaign_devices add constraint campaign_devices_every_ms_check CHECK ((every_ms > 0));

alter table campaign_devices add constraint campaign_devices_spot_ms_check CHECK ((spot_ms > 0));

alter table campaign_terms add constraint campaign_terms_sellable_check CHECK (((sellable >= 1) AND (sellable <= 100)));

alter table campaign_terms add constraint campaign_terms_silent_hours_check CHECK (((silent_hours >= 1) AND (silent_hours <= 336)));

alter table campaigns add constraint campaigns_goal_kind_check CHECK ((goal_kind = ANY (ARRAY['perHour'::text, 'share'::text, 'total'::text])));

alter table campaigns add constraint campaigns_goal_value_check CHECK ((goal_value > (0)::numeric));

alter table campaigns add constraint campaigns_orientation_check CHECK ((orientation = ANY (ARRAY['vertical'::text, 'horizontal'::text])));

alter table campaigns add constraint campaigns_price_amount_check CHECK ((price_amount >= (0)::numeric));

alter table campaigns add constraint campaigns_price_kind_check CHECK ((price_kind = ANY (ARRAY['perPlay'::text, 'perThousand'::text, 'fixed'::text])));

alter table campaigns add constraint campaigns_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'requested'::text, 'rejected'::text, 'booked'::text, 'cancelled'::text])));

alter table challenges add constraint challenges_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'setup'::text])));

alter table colleague_invitations add constraint colleague_invitations_access_check CHECK ((access = ANY (ARRAY['operator'::text, 'readOnly'::text])));

alter table device_pairings add constraint device_pairings_kind_check CHECK ((kind = ANY (ARRAY['new'::text, 'key'::text, 'replaced'::text])));

alter table devices add constraint devices_mac_key UNIQUE (mac);

alter table devices add constraint devices_secret_hash_key UNIQUE (secret_hash);

alter table files add constraint files_step_check CHECK ((step = ANY (ARRAY['examine'::text, 'convert'::text])));

alter table invitations add constraint invitations_role_check CHECK ((role = ANY (ARRAY['leading'::text, 'member'::text])));

alter table play_chains add constraint play_chains_device_id_public_key_key UNIQUE (device_id, public_key);

alter table play_items add constraint play_items_file CHECK (((kind <> 'file'::text) OR (sha256 IS NOT NULL)));

alter table play_items add constraint play_items_release_id_sha256_screen_key UNIQUE (release_id, sha256, screen);

alter table release_devices add constraint release_devices_check CHECK (((started_at IS NULL) = (revision IS NULL)));

alter table release_requests add constraint release_requests_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text])));

alter table releases add constraint releases_check CHECK (((stages IS NULL) = (rollout IS NULL)));

alter table releases add constraint releases_ends_at CHECK (((ends_at IS NULL) OR (priority = 'takeover'::text)));

alter table releases add constraint releases_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['operatorDisabled'::text, 'operatorDemoted'::text, 'operatorDeleted'::text])));

alter table releases add constraint releases_rollout_check CHECK ((rollout = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text, 'complete'::text])));

alter table shares add constraint shares_token_hash_key UNIQUE (token_hash);

alter table users add constraint users_access_check CHECK ((access = ANY (ARRAY['operator'::text, 'readOnly'::text])));

alter table users add constraint users_colleague_check CHECK ((((colleague_of IS NULL) = (access IS NULL)) AND ((colleague_of IS NULL) = (name IS NULL)) AND ((colleague_of IS NULL) OR (superior_id IS NOT NULL))));

alter table users add constraint users_quota_bytes_check CHECK ((quota_bytes >= 0));

alter table users add constraint users_role_check CHECK ((role = ANY (ARRAY['leading'::text, 'member'::text])));

alter table users add constraint users_username_key_key UNIQUE (username_key);


-- References

alter table ad_items add constraint ad_items_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE;

alter table ad_items add constraint ad_items_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE;

alter table ads add constraint ads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table alerts add constraint alerts_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE SET NULL;

alter table alerts add constraint alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table alerts_told add constraint alerts_told_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table alerts_told add constraint alerts_told_user_id_fkey FOREIGN KEY (user_id) REFERENCES alerts(user_id) ON DELETE CASCADE;

alter table alerts_told_campaigns add constraint alerts_told_campaigns_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;

alter table alerts_told_campaigns add constraint alerts_told_campaigns_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table apps add constraint apps_icon_sha256_fkey FOREIGN KEY (icon_sha256) REFERENCES blobs(sha256);

alter table apps add constraint apps_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256);

alter table apps add constraint apps_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id) ON DELETE SET NULL;

alter table audit add constraint audit_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL;

alter table audit add constraint audit_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES users(id);

alter table batch_devices add constraint batch_devices_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE;

alter table batches add constraint batches_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE CASCADE;

alter table batches add constraint batches_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL;

alter table campaign_carriers add constraint campaign_carriers_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;

alter table campaign_creatives add constraint campaign_creatives_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE SET NULL;

alter table campaign_creatives add constraint campaign_creatives_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;

alter table campaign_creatives add constraint campaign_creatives_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE SET NULL;

alter table campaign_devices add constraint campaign_devices_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;

alter table campaign_devices add constraint campaign_devices_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table campaign_hours add constraint campaign_hours_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;

alter table campaign_sums add constraint campaign_sums_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;

alter table campaign_terms add constraint campaign_terms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table campaigns add constraint campaigns_cancelled_by_fkey FOREIGN KEY (cancelled_by) REFERENCES users(id) ON DELETE SET NULL;

alter table campaigns add constraint campaigns_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;

alter table campaigns add constraint campaigns_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id);

alter table campaigns add constraint campaigns_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL;

alter table campaigns add constraint campaigns_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE SET NULL;

alter table campaigns add constraint campaigns_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON DELETE SET NULL;

alter table campaigns add constraint campaigns_target_by_fkey FOREIGN KEY (target_by) REFERENCES users(id) ON DELETE SET NULL;

alter table challenges add constraint challenges_session_hash_fkey FOREIGN KEY (session_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE;

alter table challenges add constraint challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table colleague_invitations add constraint colleague_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id) ON DELETE CASCADE;

alter table content_checks add constraint content_checks_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256) ON DELETE CASCADE;

alter table device_commands add constraint device_commands_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_commands add constraint device_commands_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE CASCADE;

alter table device_keys add constraint device_keys_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_pairings add constraint device_pairings_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_revisions add constraint device_revisions_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_words add constraint device_words_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table devices add constraint devices_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table email_codes add constraint email_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table files add constraint files_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table files add constraint files_sha256_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256);

alter table files add constraint files_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id) ON DELETE SET NULL;

alter table groups add constraint groups_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

alter table invitations add constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table invitations add constraint invitations_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE SET NULL;

alter table known_browsers add constraint known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table pairings add constraint pairings_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE CASCADE;

alter table past_hours add constraint past_hours_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table play_chain_gaps add constraint play_chain_gaps_chain_id_fkey FOREIGN KEY (chain_id) REFERENCES play_chains(id) ON DELETE CASCADE;

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

alter table release_requests add constraint release_requests_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE;

alter table release_requests add constraint release_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL;

alter table release_requests add constraint release_requests_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id) ON DELETE SET NULL;

alter table release_sends add constraint release_sends_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

alter table releases add constraint releases_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE SET NULL;

alter table releases add constraint releases_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id) ON DELETE SET NULL;

alter table releases add constraint releases_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table releases add constraint releases_standing_by_fkey FOREIGN KEY (standing_by) REFERENCES users(id) ON DELETE SET NULL;

alter table releases add constraint releases_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES users(id) ON DELETE SET NULL;

alter table releases add constraint releases_withdrawn_person_fkey FOREIGN KEY (withdrawn_person) REFERENCES users(id) ON DELETE SET NULL;

alter table scan_hours add constraint scan_hours_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

alter table screenshots add constraint screenshots_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table shares add constraint shares_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE;

alter table signed_batches add constraint signed_batches_chain_id_fkey FOREIGN KEY (chain_id) REFERENCES play_chains(id) ON DELETE CASCADE;

alter table standing_filters add constraint standing_filters_release_id_fkey FOREIGN KEY (release_id) REFERENCES standing_releases(release_id) ON UPDATE CASCADE ON DELETE CASCADE;

alter table standing_releases add constraint standing_releases_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE;

alter table standing_releases add constraint standing_releases_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE;

alter table standing_releases add constraint standing_releases_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES users(id) ON DELETE CASCADE;

alter table uploads add constraint uploads_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL;

alter table user_scopes add constraint user_scopes_ancestor_id_fkey FOREIGN KEY (ancestor_id) REFERENCES users(id) ON DELETE CASCADE;

alter table user_scopes add constraint user_scopes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table users add constraint users_colleague_of_fkey FOREIGN KEY (colleague_of) REFERENCES users(id) ON DELETE CASCADE;

alter table users add constraint users_superior_id_fkey FOREIGN KEY (superior_id) REFERENCES users(id);


-- Indexes

CREATE INDEX ad_items_file ON public.ad_items USING btree (file_id);

CREATE INDEX ads_by_name ON public.ads USING btree (natural_key(name) COLLATE "C", id);

CREATE INDEX ads_newest ON public.ads USING btree (created_at DESC, id DESC);

CREATE INDEX ads_owner ON public.ads USING btree (owner_id, orientation, created_at DESC, id DESC);

CREATE INDEX ads_words ON public.ads USING gin (all_grams(name));

CREATE INDEX alerts_group ON public.alerts USING btree (group_id);

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

CREATE INDEX batches_person ON public.batches USING btree (person_id) WHERE (person_id IS NOT NULL);

CREATE INDEX batches_started ON public.batches USING btree (started_at);

CREATE INDEX batches_unfinished ON public.batches USING btree (moved_at) WHERE (finished_at IS NULL);

CREATE INDEX blobs_by_bytes ON public.blobs USING btree (COALESCE(play_bytes, bytes));

CREATE INDEX blobs_by_duration ON public.blobs USING btree (((COALESCE(duration_ms, 0))::bigint));

CREATE INDEX blobs_play ON public.blobs USING btree (play_sha256);

CREATE INDEX blobs_poster ON public.blobs USING btree (poster_sha256);

CREATE INDEX campaign_carriers_device ON public.campaign_carriers USING btree (device_id);

CREATE INDEX campaign_creatives_ad ON public.campaign_creatives USING btree (ad_id);

CREATE INDEX campaign_devices_device ON public.campaign_devices USING btree (device_id, campaign_id);

CREATE INDEX campaigns_customer ON public.campaigns USING btree (customer_id, created_at DESC, id DESC);

CREATE INDEX campaigns_flights ON public.campaigns USING btree (ends_on, starts_on) WHERE (state = 'booked'::text);

CREATE INDEX campaigns_group ON public.campaigns USING btree (group_id) WHERE (group_id IS NOT NULL);

CREATE INDEX campaigns_newest ON public.campaigns USING btree (created_at DESC, id DESC);

CREATE INDEX campaigns_requested ON public.campaigns USING btree (customer_id) WHERE (state = 'requested'::text);

CREATE INDEX campaigns_short ON public.campaigns USING btree (customer_id) WHERE ((state = 'booked'::text) AND (short_since IS NOT NULL));

CREATE INDEX challenges_expiry ON public.challenges USING btree (expires_at);

CREATE INDEX challenges_session ON public.challenges USING btree (session_hash);

CREATE INDEX challenges_user ON public.challenges USING btree (user_id);

CREATE INDEX colleague_invitations_account ON public.colleague_invitations USING btree (account_id, created_at);

CREATE INDEX device_commands_operator ON public.device_commands USING btree (operator_id);

CREATE INDEX device_failures_open ON public.device_failures USING btree (device_id) WHERE (until IS NULL);

CREATE INDEX device_waits_failed ON public.device_waits USING btree (device_id) WHERE failed;

CREATE INDEX device_words_mac ON public.device_words USING gin (mac_grams);

CREATE INDEX device_words_text ON public.device_words USING gin (text_grams);

CREATE INDEX devices_area ON public.devices USING btree (lower(area), created_at DESC, id DESC) WHERE (area IS NOT NULL);

CREATE INDEX devices_back ON public.devices USING btree (expires_at) WHERE expired_told;

CREATE INDEX devices_by_area ON public.devices USING btree (natural_key(COALESCE(area, ''::text)) COLLATE "C", id);

CREATE INDEX devices_by_expiry ON public.devices USING btree (COALESCE(expires_at, 'infinity'::timestamp with time zone), id);

CREATE INDEX devices_by_name ON public.devices USING btree (natural_key(name) COLLATE "C", id);

CREATE INDEX devices_by_seen ON public.devices USING btree (seen_at, id);

CREATE INDEX devices_expires ON public.devices USING btree (expires_at, id) INCLUDE (owner_id);

CREATE INDEX devices_expiry ON public.devices USING btree (expires_at) WHERE (NOT expired_told);

CREATE INDEX devices_lease ON public.devices USING btree (lease);

CREATE INDEX devices_newest ON public.devices USING btree (created_at DESC, id DESC);

CREATE INDEX devices_own_hours ON public.devices USING btree (id) WHERE (working_hours IS NOT NULL);

CREATE INDEX devices_owner ON public.devices USING btree (owner_id, created_at DESC, id DESC);

CREATE INDEX devices_owner_expires ON public.devices USING btree (owner_id, expires_at, id);

CREATE UNIQUE INDEX devices_scan_code ON public.devices USING btree (scan_code);

CREATE INDEX devices_tags ON public.devices USING gin (tags) WHERE (tags <> '{}'::text[]);

CREATE INDEX files_blob ON public.files USING btree (sha256);

CREATE INDEX files_by_name ON public.files USING btree (natural_key(name) COLLATE "C", id);

CREATE INDEX files_in_processing ON public.files USING btree (id) WHERE (step IS NOT NULL);

CREATE INDEX files_newest ON public.files USING btree (created_at DESC, id DESC);

CREATE INDEX files_owner ON public.files USING btree (owner_id, orientation, kind, created_at DESC, id DESC);

CREATE INDEX files_words ON public.files USING gin (all_grams(name));

CREATE INDEX groups_newest ON public.groups USING btree (created_at DESC, id DESC);

CREATE INDEX groups_owner ON public.groups USING btree (owner_id, created_at DESC, id DESC);

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (made_at);

CREATE INDEX invitations_maker ON public.invitations USING btree (created_by, created_at DESC, code DESC);

CREATE INDEX job_workers_process ON public.job_workers USING btree (process_id);

CREATE INDEX known_browsers_user ON public.known_browsers USING btree (user_id, used_at DESC);

CREATE UNIQUE INDEX pairings_code ON public.pairings USING btree (code) WHERE (used_by IS NULL);

CREATE INDEX pairings_expiry ON public.pairings USING btree (expires_at);

CREATE INDEX pairings_network ON public.pairings USING btree (network);

CREATE INDEX parse_attempts_content ON public.parse_attempts USING btree (sha256, task);

CREATE INDEX past_hours_until ON public.past_hours USING btree (until);

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

CREATE INDEX release_requests_ad ON public.release_requests USING btree (ad_id);

CREATE INDEX release_requests_decided_by ON public.release_requests USING btree (decided_by) WHERE (decided_by IS NOT NULL);

CREATE INDEX release_requests_requested_by ON public.release_requests USING btree (requested_by);

CREATE INDEX release_requests_waiting ON public.release_requests USING btree (requested_at DESC, id DESC) WHERE (state = 'requested'::text);

CREATE INDEX releases_ad ON public.releases USING btree (ad_id, released_at DESC);

CREATE INDEX releases_by_name ON public.releases USING btree (natural_key(ad_name) COLLATE "C", id);

CREATE INDEX releases_campaign ON public.releases USING btree (campaign_id) WHERE (campaign_id IS NOT NULL);

CREATE INDEX releases_ends_at ON public.releases USING btree (ends_at) WHERE ((withdrawn_at IS NULL) AND (ends_at IS NOT NULL));

CREATE INDEX releases_newest ON public.releases USING btree (released_at DESC, id DESC);

CREATE INDEX releases_operator ON public.releases USING btree (operator_id) WHERE ((rollout = 'running'::text) AND (withdrawn_at IS NULL));

CREATE INDEX releases_owner ON public.releases USING btree (owner_id, released_at DESC, id DESC);

CREATE INDEX releases_running ON public.releases USING btree (id) WHERE ((rollout = 'running'::text) AND (withdrawn_at IS NULL));

CREATE UNIQUE INDEX releases_scan_code ON public.releases USING btree (scan_code);

CREATE INDEX releases_standing ON public.releases USING btree (standing_by, withdrawn_at) WHERE (standing_by IS NOT NULL);

CREATE INDEX releases_takeovers ON public.releases USING btree (released_at DESC, id DESC) WHERE (priority = 'takeover'::text);

CREATE INDEX releases_withdrawn_person ON public.releases USING btree (withdrawn_person) WHERE (withdrawn_person IS NOT NULL);

CREATE INDEX releases_words ON public.releases USING gin (all_grams(ad_name));

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX shares_created_by ON public.shares USING btree (created_by);

CREATE INDEX shares_newest ON public.shares USING btree (created_at DESC, id DESC);

CREATE INDEX signed_batches_received ON public.signed_batches USING brin (received_on) WITH (pages_per_range='32');

CREATE INDEX standing_releases_group ON public.standing_releases USING btree (group_id);

CREATE INDEX standing_releases_scope ON public.standing_releases USING btree (scope_id);

CREATE INDEX tallies_key ON public.tallies USING btree (user_id, subject, part, at, below);

CREATE INDEX uploads_owner ON public.uploads USING btree (((metadata ->> 'owner'::text)));

CREATE INDEX uploads_person ON public.uploads USING btree (person_id) WHERE (person_id IS NOT NULL);

CREATE INDEX uploads_touched ON public.uploads USING btree (touched_at);

CREATE INDEX uploads_uploader ON public.uploads USING btree (uploader_id);

CREATE INDEX user_scopes_user ON public.user_scopes USING btree (user_id);

CREATE INDEX users_by_login ON public.users USING btree (COALESCE(last_login_at, '-infinity'::timestamp with time zone), id);

CREATE INDEX users_colleagues ON public.users USING btree (colleague_of, id) WHERE (colleague_of IS NOT NULL);

CREATE INDEX users_disabled ON public.users USING btree (id) WHERE disabled;

CREATE INDEX users_newest ON public.users USING btree (created_at DESC, id DESC);

CREATE INDEX users_own_hours ON public.users USING btree (id) WHERE (working_hours IS NOT NULL);

CREATE INDEX users_superior ON public.users USING btree (superior_id);

CREATE INDEX users_words ON public.users USING gin (name_grams);


-- Views

create view living_processes as
 SELECT id
   FROM server_processes
  WHERE ((beat_at > (now() - '00:00:15'::interval)) AND (beat_at < (now() + '00:00:05'::interval)));

create view devices_now as
 SELECT d.id,
    d.mac,
    d.name,
    d.owner_id,
    d.secret_hash,
    d.paired_at,
    d.time_zone,
    d.expires_on,
    d.expires_at,
    d.expired_told,
    d.screens,
    d.player_version,
    d.player_kind,
    d.lease,
    d.last_seen_at,
    d.free_bytes,
    d.playing,
    d.playing_at,
    d.created_at,
    d.silent,
    d.app_package,
    d.app_code,
    d.area,
    d.address,
    d.time_zone_set,
    d.orientation,
    d.sound,
    d.seen_at,
    d.reported_zone,
    d.tags,
    d.working_hours,
    d.volume,
    d.volume_hours,
    d.brightness,
    d.brightness_hours,
    d.scan_code,
    c.revision,
    c.manifest_revision,
    c.manifest_version,
    c.reported_revision,
    c.reported_version,
    c.done_revision,
    c.download,
    c.operator_id,
    COALESCE(w.failed, false) AS failed,
    w.since AS waiting_since,
    (EXISTS ( SELECT
           FROM living_processes p
          WHERE (p.id = d.lease))) AS online,
    (c.done_revision >= c.revision) AS done,
    COALESCE((d.expires_at <= now()), false) AS expired,
    COALESCE(((d.expires_at > now()) AND (d.expires_at <= (now() + '720:00:00'::interval))), false) AS expiring
   FROM ((devices d
     LEFT JOIN device_revisions c ON ((c.device_id = d.id)))
     LEFT JOIN device_waits w ON ((w.device_id = d.id)));


-- Triggers

CREATE TRIGGER ads_tally_delete AFTER DELETE ON public.ads REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ads_tally_delete();

CREATE TRIGGER ads_tally_insert AFTER INSERT ON public.ads REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ads_tally_insert();

CREATE TRIGGER ads_tally_update AFTER UPDATE ON public.ads REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ads_tally_update();

CREATE TRIGGER campaign_devices_joined AFTER INSERT ON public.campaign_devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION campaign_devices_joined();

CREATE TRIGGER campaign_devices_left AFTER DELETE ON public.campaign_devices REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION campaign_devices_left();

CREATE TRIGGER campaign_hours_note_sum AFTER INSERT OR UPDATE OF spots ON public.campaign_hours FOR EACH ROW EXECUTE FUNCTION campaign_hours_note_sum();

CREATE TRIGGER device_revisions_begin_waits AFTER INSERT ON public.device_revisions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION device_revisions_begin_waits();

CREATE TRIGGER device_revisions_note_failures AFTER UPDATE OF download ON public.device_revisions FOR EACH ROW WHEN (((((old.download ->> 'state'::text) = 'failed'::text) IS DISTINCT FROM ((new.download ->> 'state'::text) = 'failed'::text)) AND (((old.download ->> 'state'::text) = 'failed'::text) OR ((new.download ->> 'state'::text) = 'failed'::text)))) EXECUTE FUNCTION device_revisions_note_failures();

CREATE TRIGGER device_revisions_note_waits AFTER UPDATE ON public.device_revisions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION device_revisions_note_waits();

CREATE TRIGGER device_waits_tally_delete AFTER DELETE ON public.device_waits REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION device_waits_tally_delete();

CREATE TRIGGER device_waits_tally_insert AFTER INSERT ON public.device_waits REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION device_waits_tally_insert();

CREATE TRIGGER device_waits_tally_update AFTER UPDATE ON public.device_waits REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION device_waits_tally_update();

CREATE TRIGGER devices_add_revisions AFTER INSERT ON public.devices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION devices_add_revisions();

CREATE TRIGGER devices_end_waits BEFORE DELETE ON public.devices FOR EACH ROW EXECUTE FUNCTION devices_end_waits();

CREATE TRIGGER devices_forget_plays BEFORE DELETE ON public.devices FOR EACH ROW EXECUTE FUNCTION devices_forget_plays();

CREATE TRIGGER devices_keep_hours AFTER UPDATE ON public.devices FOR EACH ROW WHEN (((old.working_hours IS DISTINCT FROM new.working_hours) OR (old.owner_id <> new.owner_id))) EXECUTE FUNCTION keep_hours_of_device();

CREATE TRIGGER devices_note_carriers BEFORE DELETE ON public.devices FOR EACH ROW EXECUTE FUNCTION devices_note_carriers();

CREATE TRIGGER devices_note_words AFTER INSERT OR UPDATE OF name, mac, area, address ON public.devices FOR EACH ROW EXECUTE FUNCTION devices_note_words();

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

CREATE TRIGGER users_keep_hours BEFORE UPDATE ON public.users FOR EACH ROW WHEN (((old.working_hours IS DISTINCT FROM new.working_hours) OR (old.superior_id IS DISTINCT FROM new.superior_id))) EXECUTE FUNCTION keep_default_hours();

CREATE TRIGGER users_tally_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION users_tally_delete();


set local check_function_bodies to default;
