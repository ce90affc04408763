import { type Kysely, sql } from 'kysely';

/** People: accounts, the tree of scopes, sessions, verification codes, invitations, audit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      username text not null,
      username_key text not null unique,
      password_hash text not null,
      role text not null check (role in ('leading', 'member')),
      phone text,
      superior_id uuid references users,
      disabled boolean not null default false,
      remark text,
      last_login_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index users_superior on users (superior_id);
    create index users_newest on users (created_at desc, id desc);

    -- Every pair of a user and somebody below it (or itself): a scope is one index look-up at any depth.
    create table user_scopes (
      ancestor_id uuid not null references users on delete cascade,
      user_id uuid not null references users on delete cascade,
      primary key (ancestor_id, user_id)
    );
    create index user_scopes_user on user_scopes (user_id);

    create table sessions (
      token_hash bytea primary key,
      user_id uuid not null references users on delete cascade,
      expires_at timestamptz not null,
      -- A renewed token stays valid a little for calls under way, but is not renewed again.
      renewed boolean not null default false
    );
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    create table captchas (
      id uuid primary key,
      answer text not null,
      expires_at timestamptz not null
    );

    create table login_failures (
      username_key text primary key,
      count integer not null,
      last_at timestamptz not null
    );

    create table invitations (
      code text primary key,
      role text not null check (role in ('leading', 'member')),
      created_by uuid not null references users,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz,
      used_at timestamptz,
      used_by uuid references users on delete set null
    );
    create index invitations_maker on invitations (created_by, created_at desc, code desc);

    create table secrets (
      name text primary key,
      value bytea not null
    );

    create table audit (
      id uuid primary key,
      at timestamptz not null default now(),
      actor_id uuid references users on delete set null,
      -- What outlives the actor: its name, and in whose scope this is read.
      actor_name text not null,
      scope_id uuid not null references users,
      action text not null,
      target_id text,
      target text,
      details jsonb
    );
    create index audit_actor on audit (actor_id, at desc, id desc);
    create index audit_scope on audit (scope_id, at desc, id desc);
    create index audit_newest on audit (at desc, id desc);
  `.execute(db);
}
