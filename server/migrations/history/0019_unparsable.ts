import { type Kysely, sql } from 'kysely';

/** What harms its parser is not parsed again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Contents that exceeded a limit or crashed their parser; they stay when the last file with them is deleted.
    create table unparsable_contents (
      sha256 text primary key,
      failure text not null,
      found_at timestamptz not null default now()
    );
    -- How often a step was begun and not ended. Counted before parsing, so that the death of a server counts.
    alter table files add column attempts smallint not null default 0;
  `.execute(db);
}
