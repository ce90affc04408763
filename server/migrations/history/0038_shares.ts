import { type Kysely, sql } from 'kysely';

/** Links for people without an account. The token of a link is known to those who have it alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shares (
      id uuid primary key,
      -- SHA-256.
      token_hash bytea not null unique,
      -- What it shows: { kind, … }.
      subject jsonb not null,
      title text not null,
      created_by uuid not null references users on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index shares_created_by on shares (created_by);
    create index shares_newest on shares (created_at desc, id desc);
  `.execute(db);
}
