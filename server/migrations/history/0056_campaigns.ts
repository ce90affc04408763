import { type Kysely, sql } from 'kysely';

/** Campaigns: what was ordered, its creatives in rotation, the devices that carry it, and the terms of leading users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaigns (
      id uuid primary key,
      name text not null,
      customer_id uuid not null references users,
      created_by uuid references users on delete set null,
      state text not null default 'draft' check (state in ('draft', 'requested', 'rejected', 'booked', 'cancelled')),
      orientation text not null check (orientation in ('vertical', 'horizontal')),
      target jsonb not null,
      target_by uuid references users on delete set null,
      group_id uuid references groups on delete set null,
      standing boolean not null default false,
      schedule jsonb not null,
      starts_on date not null,
      ends_on date not null,
      goal_kind text not null check (goal_kind in ('perHour', 'share', 'total')),
      goal_value numeric not null check (goal_value > 0),
      price_kind text not null check (price_kind in ('perPlay', 'perThousand', 'fixed')),
      price_amount numeric not null check (price_amount >= 0),
      price_currency text not null,
      ordered bigint,
      remark text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      requested_at timestamptz,
      requested_by uuid references users on delete set null,
      decided_at timestamptz,
      decided_by uuid references users on delete set null,
      cancelled_at timestamptz,
      cancelled_by uuid references users on delete set null
    );
    create index campaigns_newest on campaigns (created_at desc, id desc);
    create index campaigns_customer on campaigns (customer_id, created_at desc, id desc);
    create index campaigns_requested on campaigns (customer_id) where state = 'requested';
    create index campaigns_flights on campaigns (ends_on, starts_on) where state = 'booked';
    create index campaigns_group on campaigns (group_id) where group_id is not null;

    create table campaign_creatives (
      campaign_id uuid not null references campaigns on delete cascade,
      position integer not null,
      ad_id uuid references ads on delete set null,
      ad_name text not null,
      ad_version timestamptz,
      content_hash text,
      spot_ms integer,
      release_id uuid references releases on delete set null,
      primary key (campaign_id, position)
    );
    create index campaign_creatives_ad on campaign_creatives (ad_id);

    create table campaign_devices (
      campaign_id uuid not null references campaigns on delete cascade,
      device_id uuid not null references devices on delete cascade,
      every_ms bigint not null check (every_ms > 0),
      spot_ms integer not null check (spot_ms > 0),
      primary key (campaign_id, device_id)
    );
    create index campaign_devices_device on campaign_devices (device_id, campaign_id);

    create table campaign_terms (
      user_id uuid primary key references users on delete cascade,
      sellable integer not null check (sellable between 1 and 100)
    );

    alter table releases add column campaign_id uuid references campaigns on delete set null;
    create index releases_campaign on releases (campaign_id) where campaign_id is not null;
  `.execute(db);
}
