import { type Kysely, sql } from 'kysely';

/** Pairing by the code alone, who paired a device and when it replaced another, and what a MAC had before it was deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- They live for ten minutes, and devices ask for another code by themselves.
    delete from pairings;
    -- The network that asked: an IPv4 address, or the first 64 bits of an IPv6 one.
    alter table pairings add column network text, add column address text, add column created_at timestamptz not null default now();
    create unique index pairings_code on pairings (code) where used_by is null;
    create index pairings_network on pairings (network);

    create table device_pairings (
      device_id uuid not null references devices on delete cascade,
      at timestamptz not null default now(),
      kind text not null check (kind in ('new', 'key', 'replaced')),
      -- Null for the enrolment key; the name outlives its user.
      by_name text,
      -- Where the device asked from.
      address text,
      primary key (device_id, at)
    );

    -- What a MAC had when its device was deleted: pairing it again does not begin a new trial.
    create table deleted_macs (
      mac text primary key,
      expires_on date,
      paired_at timestamptz,
      deleted_at timestamptz not null default now()
    );
  `.execute(db);
}
