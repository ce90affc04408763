import { type Kysely, sql } from 'kysely';

/**
 * Working hours are judged once for each time zone in use, which the first index finds without reading all devices. A
 * dealer's devices of an area are read owner by owner: through the index of areas, each owner reads the area of everybody.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index devices_zone on devices (time_zone)`.execute(db);
  await sql`
    create index devices_owner_area on devices (owner_id, lower(area), created_at desc, id desc)
    where area is not null`.execute(db);
}
