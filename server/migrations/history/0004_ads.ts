import { type Kysely, sql } from 'kysely';

/** Ads, their frozen releases, and the plays that devices prove. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ads (
      id uuid primary key,
      owner_id uuid not null references users,
      name text not null,
      screen smallint not null,
      split text not null,
      dual boolean not null,
      play_mode text not null,
      show_clock boolean not null,
      fit text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index ads_owner on ads (owner_id, screen, created_at desc, id desc);
    create index ads_newest on ads (created_at desc, id desc);

    create table ad_items (
      ad_id uuid not null references ads on delete cascade,
      region text not null,
      position integer not null,
      file_id uuid not null references files on delete cascade,
      seconds integer,
      primary key (ad_id, region, position)
    );
    create index ad_items_file on ad_items (file_id);

    -- A release outlives its ad: ad_id is no reference, name and programme are frozen.
    create table releases (
      id uuid primary key,
      ad_id uuid not null,
      ad_name text not null,
      owner_id uuid not null references users,
      operator_id uuid references users on delete set null,
      screen text,
      replace boolean not null,
      priority text not null,
      schedule jsonb,
      programme jsonb not null,
      released_at timestamptz not null default now(),
      withdrawn_at timestamptz
    );
    create index releases_owner on releases (owner_id, released_at desc, id desc);
    create index releases_newest on releases (released_at desc, id desc);
    create index releases_ad on releases (ad_id, released_at desc);

    create table release_files (
      release_id uuid not null references releases on delete cascade,
      file_id uuid not null,
      sha256 text not null,
      bytes bigint not null,
      mime text not null,
      position integer not null,
      primary key (release_id, position)
    );
    create index release_files_file on release_files (file_id);
    create index release_files_blob on release_files (sha256);

    create table release_devices (
      release_id uuid not null references releases on delete cascade,
      device_id uuid not null references devices on delete cascade,
      -- The device's revision that first contains this release.
      revision bigint not null,
      primary key (release_id, device_id)
    );
    create index release_devices_device on release_devices (device_id);

    create table play_batches (
      device_id uuid not null references devices on delete cascade,
      batch uuid not null,
      at timestamptz not null default now(),
      primary key (device_id, batch)
    );

    create table plays (
      device_id uuid not null references devices on delete cascade,
      release_id uuid not null,
      sha256 text not null,
      screen text not null,
      at timestamptz not null,
      duration_ms integer not null
    );
    create index plays_device on plays (device_id, at);

    -- Plays by the device's own calendar day.
    create table play_days (
      day date not null,
      device_id uuid not null references devices on delete cascade,
      plays integer not null,
      duration_ms bigint not null,
      primary key (device_id, day)
    );
    create index play_days_day on play_days (day);
  `.execute(db);
}
