import { type Kysely, sql } from 'kysely';

/** Ads, files and releases are found by parts of their names. Their names change rarely, so no table of words is needed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index ads_words on ads using gin (all_grams(name));
    create index files_words on files using gin (all_grams(name));
    create index releases_words on releases using gin (all_grams(ad_name));
  `.execute(db);
}
