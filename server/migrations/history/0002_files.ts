import { type Kysely, sql } from 'kysely';

/** Content-addressed blobs and the files that people gave names to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row per content. What people uploaded (sha256) may differ from what devices play (play_sha256)
    -- once it was converted.
    create table blobs (
      sha256 text primary key,
      bytes bigint not null,
      mime text,
      width integer,
      height integer,
      duration_ms integer,
      state text not null check (state in ('processing', 'ready', 'failed')),
      failure text,
      play_sha256 text,
      play_bytes bigint,
      poster_sha256 text,
      created_at timestamptz not null default now()
    );
    create index blobs_play on blobs (play_sha256);
    create index blobs_poster on blobs (poster_sha256);

    create table files (
      id uuid primary key,
      owner_id uuid not null references users,
      uploaded_by uuid references users on delete set null,
      name text not null,
      screen smallint not null,
      type smallint not null,
      sha256 text not null references blobs,
      created_at timestamptz not null default now()
    );
    create index files_owner on files (owner_id, screen, type, created_at desc, id desc);
    create index files_newest on files (created_at desc, id desc);
    create index files_blob on files (sha256);
  `.execute(db);
}
