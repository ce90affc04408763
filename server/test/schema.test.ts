import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type Db, makeDb } from '../src/platform/database/database.ts';
import { knownMigrations, migrate } from '../src/platform/database/migrations.ts';
import { dumpSchema } from './schema.ts';
import { makeDatabase } from './server.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../migrations');
const HISTORY = readdirSync(path.join(MIGRATIONS, 'history')).map((file) => path.parse(file).name);
const [BEFORE_LAST, LAST] = HISTORY.toSorted().slice(-2);

async function emptyDatabase(): Promise<Db> {
  const { url: _, ...connection } = await makeDatabase();
  const db = makeDb(new pg.Pool(connection));
  onTestFinished(() => db.destroy());
  return db;
}

/** A database that ran every migration of the history by itself. */
async function grownDatabase(): Promise<Db> {
  const db = await emptyDatabase();
  await migrate(db, BEFORE_LAST);
  await migrate(db, LAST);
  return db;
}

const rowsOf = async (db: Db, query: string): Promise<unknown[]> => (await sql.raw(query).execute(db)).rows;

/** The schema by the standard's views and the system's catalogs, independent of `dumpSchema`. */
const CATALOGS = [
  `select table_name, column_name, column_default, is_nullable, data_type, udt_name, collation_name, is_generated,
    generation_expression, is_identity, identity_generation from information_schema.columns
    where table_schema = 'public' order by 1, 2`,
  `select table_name, array_agg(column_name::text order by ordinal_position) from information_schema.columns
    where table_schema = 'public' group by 1 order by 1`,
  `select table_name, constraint_name, constraint_type, is_deferrable from information_schema.table_constraints
    where table_schema = 'public' order by 1, 2`,
  `select constraint_name, check_clause from information_schema.check_constraints
    where constraint_schema = 'public' order by 1`,
  `select constraint_name, table_name, column_name, ordinal_position, position_in_unique_constraint
    from information_schema.key_column_usage where constraint_schema = 'public' order by 1, 2, 4`,
  `select constraint_name, unique_constraint_name, match_option, update_rule, delete_rule
    from information_schema.referential_constraints where constraint_schema = 'public' order by 1`,
  `select specific_name::regproc::text from (select p.proname as specific_name from pg_proc p
    where p.pronamespace = 'public'::regnamespace) f order by 1`,
  `select proname, prosrc, proargnames, provolatile, proisstrict, proparallel, prosecdef, procost, prorows,
    prorettype::regtype::text, pg_get_function_arguments(oid) as arguments, pg_get_function_sqlbody(oid) as body
    from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  `select trigger_name, event_manipulation, event_object_table, action_statement, action_orientation, action_timing,
    action_condition, action_reference_old_table, action_reference_new_table
    from information_schema.triggers where trigger_schema = 'public' order by 1, 2, 3`,
  `select trigger_name, event_object_table, event_object_column from information_schema.triggered_update_columns
    where trigger_schema = 'public' order by 1, 2, 3`,
  `select viewname, definition from pg_views where schemaname = 'public' order by 1`,
  `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
  `select relname, relkind, reloptions, relpersistence, relreplident, relrowsecurity, relispartition
    from pg_class where relnamespace = 'public'::regnamespace order by 1`,
  `select c.relname, a.attname, a.attstorage, a.attcompression, a.attstattarget, a.attoptions
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0
      and not a.attisdropped order by 1, 2`,
  `select sequencename, data_type::text, start_value, increment_by, cache_size, cycle from pg_sequences
    where schemaname = 'public' order by 1`,
  `select typname, typtype from pg_type where typnamespace = 'public'::regnamespace order by 1`,
  `select extname from pg_extension order by 1`,
  `select stxname from pg_statistic_ext order by 1`,
];

test('schema.sql is what the migrations of the history result in', async () => {
  await expect(await dumpSchema(await grownDatabase())).toMatchFileSnapshot(path.join(MIGRATIONS, 'schema.sql'));
});

test('an empty database that gets schema.sql equals one that ran each migration', async () => {
  const [grown, fresh] = [await grownDatabase(), await emptyDatabase()];
  await migrate(fresh, LAST);
  expect(await dumpSchema(fresh)).toBe(await dumpSchema(grown));
  for (const query of CATALOGS) {
    expect({ query, rows: await rowsOf(fresh, query) }).toEqual({ query, rows: await rowsOf(grown, query) });
  }

  const done = 'select name from kysely_migration order by name';
  expect(await rowsOf(fresh, done)).toEqual(await rowsOf(grown, done));
  expect(await rowsOf(fresh, done)).toHaveLength(HISTORY.length);
});

test('the history leaves no rows that schema.sql would have to contain', async () => {
  const grown = await grownDatabase();
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not like 'kysely%'`.execute(grown);
  expect(tables.rows.length).toBeGreaterThan(30);
  for (const { name } of tables.rows) {
    expect({ name, rows: await rowsOf(grown, `select 1 from "${name}" limit 1`) }).toEqual({ name, rows: [] });
  }
});

test('databases of any earlier version end with the newest schema, also when two servers start at once', async () => {
  const [grown, fresh] = [await grownDatabase(), await emptyDatabase()];
  await migrate(grown);
  await Promise.all([migrate(fresh), migrate(fresh)]);
  expect(await dumpSchema(fresh)).toBe(await dumpSchema(grown));
  const names = (await rowsOf(fresh, 'select name from kysely_migration order by name')) as { name: string }[];
  expect(names.map(({ name }) => name)).toEqual((await knownMigrations()).toSorted());
});

test('a server brings its schema up to date while another process renames tables', async () => {
  const db = await emptyDatabase();
  await migrate(db);
  // As the job queue does in a new database that two servers begin to use.
  await sql`create table renamed_0 (id integer)`.execute(db);
  let renames = 0;
  const over = new AbortController();
  const renaming = (async () => {
    for (; !over.signal.aborted; renames += 1) {
      await sql.raw(`alter table renamed_${renames} rename to renamed_${renames + 1}`).execute(db);
    }
  })();
  // With a name, the newest schema is looked at as closely as an old one.
  const newest = (await knownMigrations()).toSorted().at(-1);
  for (let times = 0; times < 20; times += 1) await migrate(db, newest);
  over.abort();
  await renaming;
  expect(renames).toBeGreaterThan(0);
});

test('a server on the newest schema does not wait for a process that holds the lock of migrations', async () => {
  const db = await emptyDatabase();
  await migrate(db);
  await db.connection().execute(async (holder) => {
    // Kysely's own number.
    await sql`select pg_advisory_lock(3853314791062309107)`.execute(holder);
    await migrate(db);
    await sql`select pg_advisory_unlock(3853314791062309107)`.execute(holder);
  });
});

test('a new database that cannot store every letter is refused, and stays empty', async () => {
  const { url: _, ...connection } = await makeDatabase();
  const database = `${connection.database}_ascii`;
  const maker = new pg.Client(connection);
  await maker.connect();
  await maker.query(
    `create database ${database} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
  );
  await maker.end();
  const db = makeDb(new pg.Pool({ ...connection, database }));
  onTestFinished(() => db.destroy());
  await expect(migrate(db)).rejects.toThrow('the database has the encoding SQL_ASCII: create it again with createdb');
  expect(await rowsOf(db, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
});
