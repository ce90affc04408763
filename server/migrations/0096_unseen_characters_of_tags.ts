import { type Kysely, sql } from 'kysely';

/** As `normalizeTag` at the time of this migration. */
const UNSEEN =
  /(\p{Extended_Pictographic}\ufe0f?(?:\u200d(?=\p{Extended_Pictographic}))?|(?!\p{Default_Ignorable_Code_Point})[\p{Script=Arabic}\p{M}][\u200c\u200d](?=(?!\p{Default_Ignorable_Code_Point})\p{L}))|[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

const plain = (tag: string): string =>
  tag
    .replace(UNSEEN, (_, seen: string | undefined) => seen ?? '')
    .normalize('NFKC')
    .replace(/ +/g, ' ')
    .trim();

const plainTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(plain).filter((tag) => tag !== ''))].toSorted();

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The same filter, or what contains one, with plain tags in its sets. */
function withPlainTags(value: unknown, isInTags = false): unknown {
  if (isInTags && isTexts(value)) return plainTags(value);
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withPlainTags(each, isInTags || key === 'tags')]),
  );
}

/** Columns that hold a filter of devices, as JSON. */
const FILTERS = [
  ['groups', 'id', 'filter'],
  ['standing_releases', 'release_id', 'filter'],
  ['standing_filters', 'release_id', 'filter'],
  ['campaigns', 'id', 'target'],
  ['release_requests', 'id', 'order'],
] as const;

/**
 * Tags that differ in characters that nobody sees are one: what is asked for is read without them, so that stored ones with
 * them would be found no more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const devices = await sql<{ id: string; tags: string[] }>`
    select id, tags from devices where tags::text ~ '[^ -~]'`.execute(db);
  for (const { id, tags } of devices.rows) {
    const after = plainTags(tags);
    if (after.join() !== tags.join()) await sql`update devices set tags = ${after} where id = ${id}`.execute(db);
  }
  for (const [table, key, column] of FILTERS) {
    const [from, id, filter] = [sql.table(table), sql.ref(key), sql.ref(column)];
    const { rows } = await sql<{ id: string; filter: unknown }>`
      select ${id} as id, ${filter} as filter from ${from} where ${filter}::text like '%"tags"%'`.execute(db);
    for (const row of rows) {
      const after = JSON.stringify(withPlainTags(row.filter));
      if (after === JSON.stringify(row.filter)) continue;
      await sql`update ${from} set ${filter} = ${after}::jsonb where ${id} = ${row.id}`.execute(db);
    }
  }
  for (const table of ['standing_releases', 'standing_filters']) {
    const { rows } = await sql<{ id: string; all: string[]; any: string[] | null; none: string[] }>`
      select release_id as id, tags_all as all, tags_any as any, tags_none as none from ${sql.table(table)}`.execute(
      db,
    );
    for (const { id, all, any, none } of rows) {
      await sql`
        update ${sql.table(table)} set tags_all = ${plainTags(all)}, tags_any = ${any && plainTags(any)},
          tags_none = ${plainTags(none)} where release_id = ${id}`.execute(db);
    }
  }
}
