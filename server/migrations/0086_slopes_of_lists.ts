import { type Kysely, sql } from 'kysely';

/**
 * A dealer's offline devices are read owner by owner: most owners have none, and each would have all its devices looked
 * at. Only a connection that ends or begins for good writes to the index.
 *
 * Working hours that devices share are found by one look-up for each, in place of an index that had to be read whole.
 *
 * A search would read all entries that wait to be sorted into its index, which are up to 4 MB.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index devices_owner_offline on devices (owner_id, created_at desc, id desc) where lease is null`.execute(db);
  await sql`
    create index devices_hours on devices (md5(working_hours::text), time_zone, id) where working_hours is not null`.execute(
    db,
  );
  await sql`drop index devices_own_hours`.execute(db);
  for (const index of ['devices_tags', 'device_words_text', 'device_words_mac']) {
    await sql`alter index ${sql.table(index)} set (fastupdate = off)`.execute(db);
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db);
  }
}
