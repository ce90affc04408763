import { type Kysely, sql } from 'kysely';

/**
 * Attempts to parse a content, written down before they start and removed when they end. What a dead server process
 * left behind was interrupted. Replaces `files.attempts`, which older versions still use.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table parse_attempts (
      id uuid primary key,
      sha256 text not null,
      -- What was read from it: a task of the sandbox, or a step of processing.
      task text not null,
      -- 1 and more. Attempts that were running at the same moment have the same number.
      number smallint not null,
      -- The server process that waits for it; null when its parser was killed from outside.
      process_id uuid,
      begun_at timestamptz not null default now()
    );
    create index parse_attempts_content on parse_attempts (sha256, task);
  `.execute(db);
}
