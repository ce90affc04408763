import { type Kysely, sql } from 'kysely';

/** Releases in steps, and from when a device had a release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table releases
      add column withdrawn_by uuid references users on delete set null,
      -- [{ percent }], each the share of all devices that the step reaches; null when there are no steps.
      add column stages jsonb,
      add column go_on_at smallint,
      add column stop_above smallint,
      -- Place of the step under way, from 0.
      add column stage smallint not null default 0,
      add column rollout text check (rollout in ('running', 'paused', 'stopped', 'complete')),
      add check ((stages is null) = (rollout is null));
    create index releases_running on releases (id) where rollout = 'running' and withdrawn_at is null;

    alter table release_devices
      add column stage smallint not null default 0,
      -- Null until the device's step begins: until then it keeps what it had.
      add column started_at timestamptz default now(),
      alter column revision drop not null;
    -- Reports and releases change columns that no index holds: with room in their pages they write no index either.
    alter table devices set (fillfactor = 70);
    update release_devices rd set started_at = r.released_at from releases r where r.id = rd.release_id;
    alter table release_devices add check ((started_at is null) = (revision is null));
  `.execute(db);
}
