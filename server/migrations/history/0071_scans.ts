import { type Kysely, sql } from 'kysely';

/**
 * QR codes of ads, the halves of their short links, and counts of scans. Eight characters of 48 random bits name a
 * release, eight more a device: a link is made without writing anything, and nobody finds one by trying.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function random_code() returns text language sql volatile as $$
      select translate(encode(substring(uuid_send(gen_random_uuid()) from 11 for 6), 'base64'), '+/', '-_')
    $$;
    alter table ads add column qr jsonb;
    alter table releases add column scan_code text not null default random_code();
    create unique index releases_scan_code on releases (scan_code);
    alter table devices add column scan_code text not null default random_code();
    create unique index devices_scan_code on devices (scan_code);
    -- Nothing but numbers: nobody who scanned a code is in here. Scans of deleted devices still count.
    create table scan_hours (
      release_id uuid not null references releases on delete cascade,
      device_id uuid not null,
      hour timestamptz not null,
      scans bigint not null,
      primary key (release_id, device_id, hour)
    );
  `.execute(db);
}
