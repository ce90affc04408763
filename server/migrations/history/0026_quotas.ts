import { type Kysely, sql } from 'kysely';

/** How much of the storage an account may take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null: the default of the installation; 0: no limit.
    alter table users add column quota_bytes bigint check (quota_bytes >= 0);
    create index uploads_owner on uploads ((metadata ->> 'owner'));
  `.execute(db);
}
