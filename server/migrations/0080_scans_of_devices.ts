import { type Kysely, sql } from 'kysely';

/** Reports look for the scans of devices within days; the primary key begins with the release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index scan_hours_device on scan_hours (device_id, hour)`.execute(db);
}
