import { type Kysely, sql } from 'kysely';

/** Takeovers are releases with an end; one without is prepared and has not started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table releases add column ends_at timestamptz,
      add constraint releases_ends_at check (ends_at is null or priority = 'takeover');
    create index releases_takeovers on releases (released_at desc, id desc) where priority = 'takeover';
    create index releases_ends_at on releases (ends_at) where withdrawn_at is null and ends_at is not null;
  `.execute(db);
}
