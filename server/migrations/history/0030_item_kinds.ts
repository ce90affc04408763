import { type Kysely, sql } from 'kysely';

/** What plays is not always a file: an item of another kind has no content hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table play_items add column kind text not null default 'file', alter column sha256 drop not null,
      add constraint play_items_file check (kind <> 'file' or sha256 is not null)`.execute(db);
}
