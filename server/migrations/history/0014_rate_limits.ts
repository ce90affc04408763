import { type Kysely, sql } from 'kysely';

/** How often an address called, for all server processes; a crash may forget it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_limits (
      key text primary key,
      count integer not null,
      ends_at timestamptz not null
    );
    create index rate_limits_end on rate_limits (ends_at)`.execute(db);
}
