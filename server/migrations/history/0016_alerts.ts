import { type Kysely, sql } from 'kysely';

/** Who is told about devices that are offline or about to expire, how, and about which they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alerts (
      user_id uuid primary key references users on delete cascade,
      email text,
      webhook text,
      secret text not null,
      offline_minutes integer,
      expiring_days integer,
      language text not null,
      email_trouble text,
      webhook_trouble text
    );

    -- Each device once for each occasion: the row goes when the occasion is over.
    create table alerts_told (
      user_id uuid not null references alerts on delete cascade,
      device_id uuid not null references devices on delete cascade,
      occasion text not null check (occasion in ('offline', 'expiring')),
      primary key (user_id, device_id, occasion)
    );
    create index alerts_told_device on alerts_told (device_id)`.execute(db);
}
