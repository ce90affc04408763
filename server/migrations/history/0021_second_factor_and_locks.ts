import { type Kysely, sql } from 'kysely';

/** Set-up challenges belong to a session; wrong codes and passwords are counted by account, session and known browser. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A challenge of an older version has no purpose: it is a login's unless it holds a secret.
    alter table challenges
      add column purpose text check (purpose in ('login', 'setup')),
      add column session_hash bytea references sessions (token_hash) on delete cascade;
    create index challenges_session on challenges (session_hash);

    alter table sessions
      add column failures integer not null default 0,
      add column failed_at timestamptz;

    alter table users
      add column code_failures integer not null default 0,
      add column code_failed_at timestamptz;

    -- A browser that an account was signed in with: its failures are counted apart from those of strangers.
    create table known_browsers (
      token_hash bytea not null,
      user_id uuid not null references users on delete cascade,
      failures integer not null default 0,
      failed_at timestamptz,
      used_at timestamptz not null default now(),
      primary key (token_hash, user_id)
    );
    create index known_browsers_user on known_browsers (user_id, used_at desc)`.execute(db);
}
