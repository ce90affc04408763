import { type Kysely, sql } from 'kysely';

/** Releases to many devices that are on their way: the devices in the order in which they get it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table release_sends (
      release_id uuid primary key references releases on delete cascade,
      device_ids uuid[] not null,
      total integer not null,
      -- So many of them had their turn.
      reached integer not null default 0
    );
    -- Ids do not compress.
    alter table release_sends alter column device_ids set storage external;
  `.execute(db);
}
