import { type Kysely, sql } from 'kysely';

/** Work on many devices at once, commands that devices have not obeyed yet, releases taken back from single devices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table batches (
      id uuid primary key,
      operator_id uuid not null references users on delete cascade,
      -- What was asked for, with its values.
      task jsonb not null,
      total integer not null,
      -- The place up to which devices have had their turn.
      reached integer not null default 0,
      failed integer not null default 0,
      started_at timestamptz not null default now(),
      -- The last step: an unfinished batch that stands still is taken up again.
      moved_at timestamptz not null default now(),
      finished_at timestamptz
    );
    create index batches_unfinished on batches (moved_at) where finished_at is null;
    create index batches_started on batches (started_at);

    -- The devices of a batch as they were chosen. No reference: one that is deleted stays in the result.
    create table batch_devices (
      batch_id uuid not null references batches on delete cascade,
      place integer not null,
      device_id uuid not null,
      mac text,
      name text,
      error text,
      primary key (batch_id, place)
    );
    create index batch_devices_failed on batch_devices (batch_id, place) where error is not null;

    -- What a device was told to do and did not hear, being offline.
    create table device_commands (
      device_id uuid not null references devices on delete cascade,
      command text not null,
      primary key (device_id, command)
    );

    -- Taken back from this device alone; releases.withdrawn_at takes it back from all of them.
    alter table release_devices add column withdrawn_at timestamptz;
  `.execute(db);
}
