import { type Kysely, sql } from 'kysely';

/** Groups of devices: filters with a name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table groups (
      id uuid primary key,
      owner_id uuid not null references users on delete cascade,
      name text not null,
      filter jsonb not null,
      bookable boolean not null default false,
      created_at timestamptz not null default now()
    );
    create index groups_owner on groups (owner_id, created_at desc, id desc);
    create index groups_newest on groups (created_at desc, id desc);
  `.execute(db);
}
