import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';

const ROWS_A_TURN = 1000;

const { escapeIdentifier } = pg;

/** Tables with everything that must outlive a machine: the product's own, not the queue of jobs, no unlogged ones. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and not relispartition and relname not like 'kysely\\_migration%'
    order by relname`);
  return rows.map(({ name }) => name);
}

/** Parts of tables, as the statements that make them again; parts of parts come after theirs. */
export async function partitionsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(`
    with recursive parts as (
      select i.inhrelid as id, i.inhparent as parent, 1 as depth
      from pg_inherits i join pg_partitioned_table t on t.partrelid = i.inhparent
      where i.inhparent in (select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
      union all
      select i.inhrelid, i.inhparent, p.depth + 1 from pg_inherits i join parts p on p.id = i.inhparent)
    select format('create table if not exists %I partition of %I %s%s', c.relname, parent.relname,
      pg_get_expr(c.relpartbound, c.oid),
      case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end) as statement
    from parts p join pg_class c on c.oid = p.id join pg_class parent on parent.oid = p.parent
    order by p.depth, c.relname`);
  return rows.map(({ statement }) => statement);
}

/** Names of the migrations that made the schema, oldest first. */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Every row of a table as one line of JSON, as PostgreSQL writes it: exact, whatever the type. */
async function* linesOf(client: pg.Client, table: string, counted: (rows: number) => void): AsyncGenerator<string> {
  const cursor = `declare lines no scroll cursor for select row_to_json(t)::text as line from ${escapeIdentifier(table)} t`;
  await client.query(cursor);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_A_TURN} from lines`);
    if (rows.length === 0) break;
    counted(rows.length);
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
  await client.query('close lines');
}

/** Writes a table into `file`, compressed; answers how many rows it has. Inside the caller's transaction. */
export async function dumpTable(client: pg.Client, table: string, file: string): Promise<number> {
  let rows = 0;
  const lines = Readable.from(linesOf(client, table, (more) => (rows += more)));
  await pipeline(lines, createGzip(), createWriteStream(file, { flush: true }));
  return rows;
}

/** Columns that take values: PostgreSQL computes generated ones itself. */
async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = format('public.%I', $1::text)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  );
  return rows.map(({ name }) => escapeIdentifier(name)).join(', ');
}

/** Reads what `dumpTable` wrote back into the table; answers how many rows came. */
export async function loadTable(client: pg.Client, table: string, file: string): Promise<number> {
  const columns = await columnsOf(client, table);
  const name = escapeIdentifier(table);
  const insert = `insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, $1::json)`;
  let rows = 0;
  let turn: string[] = [];
  const flush = async (): Promise<void> => {
    if (turn.length > 0) await client.query(insert, [`[${turn.join(',')}]`]);
    rows += turn.length;
    turn = [];
  };
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    turn.push(line);
    if (turn.length === ROWS_A_TURN) await flush();
  }
  await flush();
  return rows;
}

interface Suspended {
  /** Puts constraints, triggers and counters back; throws when the rows break a constraint. */
  resume(): Promise<void>;
}

/**
 * Empties the tables and switches their foreign keys and triggers off, so that rows may come in any order and
 * are not counted twice. Needs to own the tables, no more. Inside the caller's transaction.
 */
export async function suspendRules(client: pg.Client, tables: string[]): Promise<Suspended> {
  const names = tables.map((table) => escapeIdentifier(table));
  await client.query(`truncate ${names.join(', ')} cascade`);
  const { rows: keys } = await client.query<{ remove: string; add: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`);
  for (const { remove } of keys) await client.query(remove);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  return {
    resume: async () => {
      for (const name of names) await client.query(`alter table ${name} enable trigger user`);
      for (const { add } of keys) await client.query(add);
      await setCounters(client, tables);
    },
  };
}

/** Counters of identity columns go on after the highest value that came. */
async function setCounters(client: pg.Client, tables: string[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) from %I',
        c.relname, a.attname, a.attname, c.relname) as statement
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and a.attidentity <> ''`,
    [tables],
  );
  for (const { statement } of rows) await client.query(statement);
}
