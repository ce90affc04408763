import { type Kysely, sql } from 'kysely';

/** Campaigns are found by parts of their names, like ads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index campaigns_words on campaigns using gin (all_grams(name))`.execute(db);
}
