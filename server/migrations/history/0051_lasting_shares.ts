import { type Kysely, sql } from 'kysely';

/** Links may be valid until they are revoked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table shares alter column expires_at drop not null`.execute(db);
}
