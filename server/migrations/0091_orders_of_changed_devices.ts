import { type Kysely, sql } from 'kysely';

/**
 * A device that joined a campaign and has no time to play it adds 0 plays, and more when its working hours change; null: it
 * adds none whatever changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaign_carriers alter column ordered drop default, alter column ordered drop not null;
    update campaign_carriers set ordered = null where ordered = 0;
    create index campaign_carriers_joined on campaign_carriers (campaign_id) where ordered is not null and left_at is null;
  `.execute(db);
}
