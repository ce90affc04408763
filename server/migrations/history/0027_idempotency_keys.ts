import { type Kysely, sql } from 'kysely';

/** First answers to changing requests that carry an idempotency key; `answer` is null while the first one runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      -- A hash of the account and its key: the key itself, which opens the answer, is not stored.
      id bytea primary key,
      fingerprint bytea not null,
      process_id uuid not null,
      answer bytea,
      made_at timestamptz not null default now()
    );
    create index idempotency_keys_age on idempotency_keys (made_at)`.execute(db);
}
