import pg from 'pg';
import { z } from 'zod';

const { escapeIdentifier, escapeLiteral } = pg;

/** One part of a table that is divided by days: `[from, to)`. */
export const Partition = z.object({
  table: z.string(),
  name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/),
  from: z.iso.date(),
  to: z.iso.date(),
});
export type Partition = z.output<typeof Partition>;

const BOUND = String.raw`^FOR VALUES FROM \(''([0-9-]+)''\) TO \(''([0-9-]+)''\)$`;

/** The parts of all tables, oldest first. Throws `ZodError` for one that is not divided by days. */
export async function partitionsOf(client: pg.Client): Promise<Partition[]> {
  const { rows } = await client.query(`
    select parent.relname as "table", part.relname as name, bound[1] as "from", bound[2] as "to"
    from pg_inherits i
    join pg_class part on part.oid = i.inhrelid and part.relkind in ('r', 'p')
    join pg_class parent on parent.oid = i.inhparent
    left join regexp_match(pg_get_expr(part.relpartbound, part.oid), '${BOUND}') bound on true
    where parent.relnamespace = 'public'::regnamespace and parent.relkind = 'p'
    order by part.relname`);
  return z.array(Partition).parse(rows);
}

/** Names of the tables in the schema that are divided into parts. */
async function dividedTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'p'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Makes the parts that are not there. Answers the name of one that no table of the schema can have, before anything
 * is made; undefined otherwise. Statements are built here: an archive supplies names and days only.
 */
export async function makePartitions(client: pg.Client, partitions: Partition[]): Promise<string | undefined> {
  const divided = await dividedTables(client);
  const stray = partitions.find(({ table, name }) => !divided.has(table) || !name.startsWith(`${table}_`));
  if (stray) return stray.name;
  for (const { table, name, from, to } of partitions) {
    await client.query(`create table if not exists ${escapeIdentifier(name)} partition of ${escapeIdentifier(table)}
      for values from (${escapeLiteral(from)}) to (${escapeLiteral(to)})`);
  }
  return undefined;
}
