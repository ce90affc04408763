import { type Kysely, sql } from 'kysely';

/** Spots of campaigns as delivered, by device and hour, and the line that each device's pace follows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaign_devices
      add column paced_from timestamptz not null default now(),
      add column due_before double precision not null default 0 check (due_before >= 0);

    alter table play_items add column spot_part double precision;

    create table campaign_hours (
      campaign_id uuid not null references campaigns on delete cascade,
      device_id uuid not null,
      hour timestamptz not null,
      release_id uuid not null,
      spots double precision not null,
      duration_ms bigint not null,
      primary key (campaign_id, device_id, hour, release_id)
    );
  `.execute(db);
}
