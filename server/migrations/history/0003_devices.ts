import { type Kysely, sql } from 'kysely';

/** Devices: server processes that hold their channels, pairing, the three truths, presence history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table server_processes (
      id uuid primary key,
      beat_at timestamptz not null default now()
    );

    create table devices (
      id uuid primary key,
      mac text not null unique,
      name text not null default '',
      owner_id uuid not null references users,
      operator_id uuid references users on delete set null,
      secret_hash bytea unique,
      paired_at timestamptz,
      time_zone text not null default 'UTC',
      expires_on date,
      -- The first instant at which the device is expired, from expires_on and time_zone.
      expires_at timestamptz,
      -- Whether the current revision already says "expired".
      expired_told boolean not null default false,
      screens jsonb not null default '[]',
      player_version text,
      player_kind text,

      -- Connected: the server process that holds the device's channel. Alive while that process beats.
      lease uuid,
      last_seen_at timestamptz,

      -- Content: revision counts changes of what the device should hold. The manifest made for
      -- manifest_revision has manifest_version; the device's own reports move reported and done.
      revision bigint not null default 1,
      manifest_revision bigint not null default 0,
      manifest_version text,
      reported_revision bigint not null default 0,
      reported_version text,
      done_revision bigint not null default 0,
      download jsonb,
      free_bytes bigint,

      -- On screen: what it says it plays, and when it said so.
      playing jsonb,
      playing_at timestamptz,

      created_at timestamptz not null default now()
    );
    create index devices_owner on devices (owner_id, created_at desc, id desc);
    create index devices_newest on devices (created_at desc, id desc);
    create index devices_expiry on devices (expires_at) where not expired_told;
    create index devices_back on devices (expires_at) where expired_told;
    create index devices_lease on devices (lease);

    -- The devices with their truths at this moment, so that every list, sum and detail says the same.
    create view devices_now as
      select d.*,
        exists (
          select from server_processes p where p.id = d.lease and p.beat_at > now() - interval '15 seconds'
        ) as online,
        d.done_revision >= d.revision as done,
        coalesce(d.expires_at <= now(), false) as expired,
        coalesce(d.expires_at > now() and d.expires_at <= now() + interval '30 days', false) as expiring
      from devices d;

    create table pairings (
      mac text not null,
      secret_hash bytea not null,
      code text not null,
      expires_at timestamptz not null,
      tries integer not null default 0,
      screens jsonb not null,
      time_zone text not null,
      player_version text,
      player_kind text,
      primary key (mac, secret_hash)
    );
    create index pairings_expiry on pairings (expires_at);

    -- Hours in which devices were online, by owner: the home page's chart.
    create table presence_samples (
      at timestamptz not null,
      owner_id uuid not null references users on delete cascade,
      online integer not null,
      primary key (at, owner_id)
    );
  `.execute(db);
}
