import { type Kysely, sql } from 'kysely';

/** Standing releases: those that devices get when they begin to match a filter, and lose when they no longer do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The user in whose scope it is standing; null: it went to the devices that it has, once.
    alter table releases add column standing_by uuid references users on delete set null;
    create index releases_standing on releases (standing_by, withdrawn_at) where standing_by is not null;
    -- It was taken back because the device no longer matches: the device gets it again when it does.
    alter table release_devices add column unmatched boolean not null default false;
    create table standing_releases (
      release_id uuid primary key references releases on delete cascade,
      group_id uuid references groups on delete cascade,
      -- In whose scope devices match, too: the owner of the group.
      scope_id uuid not null references users on delete cascade,
      filter jsonb not null,
      -- The conditions of the filter, so that one statement compares all releases with a device.
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
    create index standing_releases_group on standing_releases (group_id);
    create index standing_releases_scope on standing_releases (scope_id);
  `.execute(db);
}
