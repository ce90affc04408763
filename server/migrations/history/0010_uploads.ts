import { type Kysely, sql } from 'kysely';

/** Unfinished uploads, so that any server process can go on with what another has begun. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table uploads (
      id uuid primary key,
      -- Nobody's row keeps a user from being deleted: it goes after a day.
      uploader_id uuid not null,
      kind text not null,
      metadata jsonb not null,
      size bigint not null,
      -- What the storage wants remembered of it.
      place text not null,
      -- The first bytes, by which its content is judged.
      head bytea not null default '',
      -- SHA-256 of the first so many bytes as a state to go on from; sha256 once all are there.
      hashed bigint not null default 0,
      hash_state bytea,
      sha256 text,
      created_at timestamptz not null default now(),
      touched_at timestamptz not null default now()
    );
    create index uploads_uploader on uploads (uploader_id);
    create index uploads_touched on uploads (touched_at);

    create view living_processes as
      select id from server_processes where beat_at > now() - interval '15 seconds';

    -- Who works on an upload. A lock of a server process that does not beat any more counts for nothing.
    create table upload_locks (
      id uuid primary key,
      holder uuid not null,
      process uuid not null
    );
  `.execute(db);
}
