import { type Kysely, sql } from 'kysely';

/** Codes of an authenticator app besides the password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add totp_secret text,
      add totp_step bigint not null default 0,
      add second_factor_below boolean not null default false;

    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      code_hash bytea not null,
      primary key (user_id, code_hash)
    );

    -- The password was right, the code is awaited; or a secret is being set up.
    create table challenges (
      token_hash bytea primary key,
      user_id uuid not null references users on delete cascade,
      secret text,
      tries integer not null default 0,
      expires_at timestamptz not null
    );
    create index challenges_user on challenges (user_id);
    create index challenges_expiry on challenges (expires_at)`.execute(db);
}
