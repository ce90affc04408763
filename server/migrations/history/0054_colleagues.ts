import { type Kysely, sql } from 'kysely';

/**
 * Colleagues sign in like users and act for the account `colleague_of`. They own nothing, are in no scope, and nobody is
 * below them. They are rows of `users` so that names are unique over both, and locks, challenges, recovery codes and
 * known browsers are the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column colleague_of uuid references users on delete cascade,
      add column name text,
      add column access text,
      -- Disabled by somebody above the account, who alone enables the colleague again.
      add column disabled_above boolean not null default false,
      add constraint users_access_check check (access in ('operator', 'readOnly')),
      add constraint users_colleague_check check (
        (colleague_of is null) = (access is null) and (colleague_of is null) = (name is null)
        and (colleague_of is null or superior_id is not null));
    create index users_colleagues on users (colleague_of, id) where colleague_of is not null;
    create table colleague_invitations (
      code text primary key,
      account_id uuid not null references users on delete cascade,
      name text not null,
      access text not null constraint colleague_invitations_access_check check (access in ('operator', 'readOnly')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index colleague_invitations_account on colleague_invitations (account_id, created_at);
    alter table audit add column person_name text, add column person_username text;
  `.execute(db);
}
