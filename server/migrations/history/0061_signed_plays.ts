import { type Kysely, sql } from 'kysely';

/** The keys by which devices sign their plays, the chains of signed batches, and those that hold plays of campaigns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pairings add column public_key jsonb;

    create table device_keys (
      device_id uuid primary key references devices on delete cascade,
      public_key jsonb not null,
      registered_at timestamptz not null default now()
    );

    -- One chain per key that a device has signed with. No reference to devices: it outlasts them, as campaign_hours do.
    create table play_chains (
      id integer generated always as identity primary key,
      device_id uuid not null,
      mac text not null,
      public_key jsonb not null,
      registered_at timestamptz not null,
      first_seq bigint not null,
      last_seq bigint not null,
      last_hash bytea not null,
      unique (device_id, public_key)
    );

    -- Batches that never came. Where the last is before the first, the link between the two is broken.
    create table play_chain_gaps (
      chain_id integer not null references play_chains on delete cascade,
      first_seq bigint not null,
      last_seq bigint not null,
      primary key (chain_id, first_seq, last_seq)
    );

    create table signed_batches (
      chain_id integer not null references play_chains on delete cascade,
      seq bigint not null,
      hash bytea not null,
      signature bytea not null,
      -- The very bytes that were signed, deflated.
      signed bytea not null,
      campaign_ids uuid[] not null,
      -- Plays that do not count: [index, reason] of each.
      uncounted jsonb not null default '[]',
      received_on date not null default (now() at time zone 'UTC')::date,
      primary key (chain_id, seq, hash)
    );
    create index signed_batches_received on signed_batches using brin (received_on) with (pages_per_range = 32);
  `.execute(db);
}
