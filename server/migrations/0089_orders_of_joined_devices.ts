import { type Kysely, sql } from 'kysely';

/**
 * Devices that join a standing campaign with a goal for each screen add their plays to its order: until the flight ends, or,
 * once `order_ended`, until they left. Devices that joined before add none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaign_carriers add column ordered bigint not null default 0,
      add column order_ended boolean not null default false;
    create index campaign_carriers_ending on campaign_carriers (campaign_id)
      where ordered > 0 and left_at is not null and not order_ended;
  `.execute(db);
}
