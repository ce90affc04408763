import { type Kysely, sql } from 'kysely';

/** What was measured of videos: black, frozen, silent, loud and flashing passages, once for each content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table content_checks (
      sha256 text primary key references blobs on delete cascade,
      measured jsonb,
      checked_at timestamptz not null default now()
    );
  `.execute(db);
}
