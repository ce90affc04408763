import { type Kysely, sql } from 'kysely';

type Event = 'insert' | 'update' | 'delete';

/** The rows that a statement took away (sign −1) and brought (sign 1). Rows that only look the same cancel out later. */
const CHANGES: Record<Event, { tables: string; rows: (columns: string) => string }> = {
  insert: { tables: 'new table as new_rows', rows: (columns) => `select 1 as sign, ${columns} from new_rows` },
  delete: { tables: 'old table as old_rows', rows: (columns) => `select -1 as sign, ${columns} from old_rows` },
  update: {
    tables: 'old table as old_rows new table as new_rows',
    rows: (columns) =>
      `select 1 as sign, ${columns} from new_rows union all select -1 as sign, ${columns} from old_rows`,
  },
};

/**
 * Counts what a table's rows change from now on. `deltas` is a query of (owner_id, subject, part, at, n) over the
 * changed rows. It must not join old with new rows: its plan is kept, and one made for a single row would be
 * endless for 100,000.
 */
async function countRows(
  db: Kysely<unknown>,
  table: string,
  columns: string,
  deltas: (changes: string) => string,
): Promise<void> {
  for (const event of ['insert', 'update', 'delete'] as const) {
    await onStatement(
      db,
      table,
      event,
      `declare deltas tally_delta[];
      begin
        deltas := ${gathered(deltas(CHANGES[event].rows(columns)))};
        if cardinality(deltas) > 0 then perform add_tallies(deltas); end if;
        return null;
      end`,
    );
  }
}

const gathered = (deltas: string): string =>
  `array(select row(d.owner_id, d.subject, d.part, d.at, d.n)::tally_delta from (${deltas}) d where d.n <> 0)`;

/** Counts the rows that are there already, by the query that counts what changes. */
const countPresent = (
  db: Kysely<unknown>,
  table: string,
  columns: string,
  deltas: (changes: string) => string,
): Promise<unknown> =>
  sql.raw(`select add_tallies(${gathered(deltas(`select 1 as sign, ${columns} from ${table}`))})`).execute(db);

async function onStatement(db: Kysely<unknown>, table: string, event: Event, body: string): Promise<void> {
  const name = `${table}_tally_${event}`;
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as $$ ${body} $$;
      create trigger ${name} after ${event} on ${table} referencing ${CHANGES[event].tables}
        for each statement execute function ${name}();`,
    )
    .execute(db);
}

/** What the home page counts, kept as it changes, so that looking at it costs the same whatever there is to count. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tallies(db);
  await countDevices(db);
  await countPlays(db);
  await countFiles(db);
  await countAds(db);
  await sampleScopes(db);
}

async function tallies(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- How many of a subject a user has: of its own, and of those below it. Several rows may say it together,
    -- so that two transactions that count the same never wait for each other: who finds a row busy takes or
    -- adds another. Any row alone may be negative. No reference to users, whose deletion would have to wait.
    --
    --   subject                                     part                 at
    --   devices, waiting, videos, images, bytes,
    --   ads, released                               ''                   '-infinity'
    --   online: held by a server process            the process's id     '-infinity'
    --   expires                                     ''                   the instant
    --   plays of the last days                      the time zone        the day there, as midnight UTC
    create table tallies (
      id bigint generated always as identity primary key,
      user_id uuid not null,
      below boolean not null,
      subject text not null,
      part text not null,
      at timestamptz not null,
      n bigint not null
    ) with (fillfactor = 70);
    create index tallies_key on tallies (user_id, subject, part, at, below);

    create type tally_delta as (owner_id uuid, subject text, part text, at timestamptz, n bigint);

    -- Adds what changed for an owner to the owner and to everybody above it. One plan, by index, for any number of
    -- deltas: planning anew takes longer than counting, and a plan made while the table was small would read all of it.
    create function add_tallies(deltas tally_delta[]) returns void language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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
    end $$;
  `.execute(db);
  await sql`create index users_disabled on users (id) where disabled`.execute(db);
  await onStatement(
    db,
    'users',
    'delete',
    `begin
      -- What is busy is left to the job that folds tallies.
      delete from tallies where id in (
        select t.id from tallies t where t.user_id in (select id from old_rows) for update skip locked);
      return null;
    end`,
  );
}

/** A device that changes hands takes its plays with it, as many days back as anybody looks. */
async function countDevices(db: Kysely<unknown>): Promise<void> {
  const columns = 'id, owner_id, time_zone, lease, expires_at, done_revision < revision as waiting';
  const deltas = (changes: string): string => `
    with changed as materialized (
      select id, owner_id, time_zone, lease, expires_at, waiting, sum(sign) as sign from (${changes}) r
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
    group by 1, 2, 3, 4`;
  await countRows(db, 'devices', columns, deltas);
  await countPresent(db, 'devices', columns, deltas);
  await sql`
    -- The device's plays go while it still says whose they are.
    create function devices_forget_plays() returns trigger language plpgsql as $$
    begin
      delete from play_days where device_id = old.id;
      return old;
    end $$;
    create trigger devices_forget_plays before delete on devices
      for each row execute function devices_forget_plays();

    -- Which expire soonest, of many owners and of few.
    create index devices_expires on devices (expires_at, id) include (owner_id);
    create index devices_owner_expires on devices (owner_id, expires_at, id);
  `.execute(db);
}

/** The lock keeps the device with its owner and in its time zone until the plays are counted for them. */
const countPlays = (db: Kysely<unknown>): Promise<void> =>
  countRows(
    db,
    'play_days',
    'device_id, day, plays',
    (changes) => `
      with changed as materialized (
        select device_id, day, sum(sign * plays) as n from (${changes}) r
        where day >= (now() at time zone 'UTC')::date - 15 group by 1, 2 having sum(sign * plays) <> 0
      ), device as materialized (
        select d.id, d.owner_id, d.time_zone from devices d
        where d.id in (select device_id from changed) order by d.id for share
      )
      select m.owner_id, 'plays' as subject, m.time_zone as part, c.day::timestamp at time zone 'UTC' as at,
        sum(c.n) as n
      from changed c join device m on m.id = c.device_id group by 1, 3, 4`,
  );

async function countFiles(db: Kysely<unknown>): Promise<void> {
  const columns = 'owner_id, type, sha256';
  const deltas = (changes: string): string => `
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign * v.n) as n
    from (${changes}) r join blobs b on b.sha256 = r.sha256 cross join lateral (values
      (case when r.type = 2 then 'videos' else 'images' end, 1), ('bytes', b.bytes)
    ) v(subject, n)
    group by 1, 2`;
  await countRows(db, 'files', columns, deltas);
  await countPresent(db, 'files', columns, deltas);
}

async function countAds(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ads add column live_releases integer not null default 0;
    update ads set live_releases = (
      select count(*) from releases r where r.ad_id = ads.id and r.withdrawn_at is null);
  `.execute(db);
  const columns = 'owner_id, live_releases';
  const deltas = (changes: string): string => `
    select r.owner_id, v.subject, '' as part, '-infinity'::timestamptz as at, sum(r.sign) as n
    from (${changes}) r cross join lateral (values ('ads', true), ('released', r.live_releases > 0)) v(subject, holds)
    where v.holds group by 1, 2`;
  await countRows(db, 'ads', columns, deltas);
  await countPresent(db, 'ads', columns, deltas);
  await followReleases(db);
}

/** An ad is released while any of its releases is live. Ads are locked in order: two releases may share several. */
async function followReleases(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'update', 'delete'] as const) {
    await onStatement(
      db,
      'releases',
      event,
      `begin
        with changed as materialized (
          select ad_id, sum(sign) as n from (${CHANGES[event].rows('ad_id, withdrawn_at')}) r
          where withdrawn_at is null group by 1 having sum(sign) <> 0
        ), locked as materialized (
          select a.id from ads a where a.id in (select ad_id from changed) order by a.id for no key update
        )
        update ads a set live_releases = live_releases + c.n from changed c join locked l on l.id = c.ad_id
        where a.id = l.id;
        return null;
      end`,
    );
  }
}

const sampleScopes = (db: Kysely<unknown>) =>
  sql`
    alter table presence_samples rename to presence_samples_of_owners;
    -- Devices online at full hours: a user's own, and those of everybody below it.
    create table presence_samples (
      user_id uuid not null references users on delete cascade,
      at timestamptz not null,
      below boolean not null,
      online integer not null,
      primary key (user_id, at, below)
    );
    create index presence_samples_at on presence_samples (at);
    insert into presence_samples (user_id, at, below, online)
    select s.ancestor_id, p.at, s.ancestor_id <> s.user_id, sum(p.online)
    from presence_samples_of_owners p join user_scopes s on s.user_id = p.owner_id group by 1, 2, 3;
    drop table presence_samples_of_owners;
  `.execute(db);
