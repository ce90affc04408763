import { type Kysely, sql } from 'kysely';

/** When devices came and went, who fell silent, the pictures of their screens, and who used a pairing code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row each time a device comes or goes: a device that stays has no new ones.
    create table presence_changes (
      device_id uuid not null references devices on delete cascade,
      at timestamptz not null,
      online boolean not null,
      primary key (device_id, at)
    );
    create index presence_changes_at on presence_changes (at);
    insert into presence_changes (device_id, at, online) select id, now(), true from devices where lease is not null;

    -- The last picture of each screen, in the table so that it goes with the device.
    create table screenshots (
      device_id uuid not null references devices on delete cascade,
      screen text not null,
      taken_at timestamptz not null default now(),
      picture bytea not null,
      primary key (device_id, screen)
    );
    alter table screenshots alter column picture set storage external;

    -- The channel is open but the device has said nothing for a while: what it said of its screen grows old.
    alter table devices add column silent boolean not null default false;

    -- A code that was used is kept until it would have run out: whoever comes second learns why it is too late.
    alter table pairings add column used_by uuid references users on delete cascade;

    drop view devices_now;
    create view devices_now as
      select d.*,
        exists (
          select from server_processes p where p.id = d.lease and p.beat_at > now() - interval '15 seconds'
        ) as online,
        d.done_revision >= d.revision as done,
        coalesce(d.expires_at <= now(), false) as expired,
        -- In hours: a session whose time zone changes to or from summer time has days of another length.
        coalesce(d.expires_at > now() and d.expires_at <= now() + interval '720 hours', false) as expiring
      from devices d;
  `.execute(db);
}
