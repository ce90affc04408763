import { type Kysely, sql } from 'kysely';

/** Releases of customers that wait until somebody above approves them; there is no release before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column releases_need_approval boolean not null default false;

    create table release_requests (
      id uuid primary key,
      ad_id uuid not null references ads on delete cascade,
      ad_version timestamptz not null,
      content_hash text not null,
      -- Null: the devices that have an earlier version get this one.
      "order" jsonb,
      devices integer not null,
      requested_by uuid references users on delete set null,
      requested_at timestamptz not null default now(),
      state text not null default 'requested' check (state in ('requested', 'approved', 'rejected', 'withdrawn')),
      decided_by uuid references users on delete set null,
      decided_at timestamptz,
      remark text
    );
    create index release_requests_ad on release_requests (ad_id);
    create index release_requests_requested_by on release_requests (requested_by);
    create index release_requests_decided_by on release_requests (decided_by) where decided_by is not null;
    create index release_requests_waiting on release_requests (requested_at desc, id desc) where state = 'requested';
  `.execute(db);
}
