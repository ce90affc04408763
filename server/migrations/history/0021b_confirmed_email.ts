import { type Kysely, sql } from 'kysely';

/** Alerts go to addresses that were confirmed. Those in use before stay so: their owners have had alerts there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The confirmed address itself: an older version that changes the other one leaves it unconfirmed.
    alter table alerts add column email_confirmed text;
    update alerts set email_confirmed = email;

    create table email_codes (
      user_id uuid primary key references users on delete cascade,
      email text not null,
      code_hash bytea not null,
      tries integer not null default 0,
      sent_at timestamptz not null default now(),
      -- Codes sent since then, whatever the address.
      sends integer not null default 1,
      since timestamptz not null default now()
    )`.execute(db);
}
