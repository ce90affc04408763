import { type Kysely, sql } from 'kysely';

/**
 * Up to when plays of a device are no longer on record, so that none of them can count a second time. Devices report in
 * order: what began before the oldest play on record was reported, and dropped, before it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table play_inboxes add column forgotten_to timestamptz`.execute(db);
  await sql`
    update play_inboxes i set forgotten_to = k.first - interval '1 millisecond'
    from (select n.device_id, (select min(at) from plays p where p.device_id = n.device_id) as first from play_inboxes n) k
    where k.device_id = i.device_id and k.first is not null`.execute(db);
}
