import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { BackupError } from './archive.ts';

const ROWS_A_TURN = 1000;
/** Rows with pictures are long: so many characters of them, one row at least, are held in memory at once. */
const TURN_CHARACTERS = 8 * 2 ** 20;

const { escapeIdentifier } = pg;

/** Tables with everything that must outlive a device: the product's own, not the queue of jobs, no unlogged ones. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and not relispartition and relname not like 'kysely\\_migration%'
    order by relname`);
  return rows.map(({ name }) => name);
}

/** Names of the migrations that made the schema, oldest first. */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** How many rows of a table are read at once, by the longest bytes that one of them has. */
async function rowsATurn(client: pg.Client, table: string): Promise<number> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = format('public.%I', $1::text)::regclass and atttypid = 'bytea'::regtype
       and attnum > 0 and not attisdropped`,
    [table],
  );
  if (columns.length === 0) return ROWS_A_TURN;
  // In JSON a byte is two digits.
  const characters = columns.map(({ name }) => `2 * coalesce(octet_length(${escapeIdentifier(name)}), 0)`).join(' + ');
  const { rows } = await client.query<{ longest: number | null }>(
    `select max(${characters})::float8 as longest from ${escapeIdentifier(table)}`,
  );
  return Math.min(ROWS_A_TURN, Math.max(1, Math.floor(TURN_CHARACTERS / (rows[0]?.longest || 1))));
}

/** Every row of a table as one line of JSON, as PostgreSQL writes it: exact, whatever the type. */
async function* linesOf(client: pg.Client, table: string, counted: (rows: number) => void): AsyncGenerator<string> {
  const atOnce = await rowsATurn(client, table);
  const cursor = `declare lines no scroll cursor for select row_to_json(t)::text as line from ${escapeIdentifier(table)} t`;
  await client.query(cursor);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${atOnce} from lines`);
    if (rows.length === 0) break;
    counted(rows.length);
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
  await client.query('close lines');
}

/** Writes a table into `file`, compressed, and returns its number of rows. Inside the caller's transaction. */
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

/** No row is as long: what is longer comes from an archive that was made to harm. */
const ROW_MAX_CHARACTERS = 256 * 2 ** 20;

/** The lines of a text that comes in pieces. Throws `BackupError` for a line that no row can be. */
async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    // Only the new piece is searched: a row with a picture comes in hundreds of them.
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    if (rest.length > ROW_MAX_CHARACTERS) throw new BackupError('A row in the backup is too long');
    yield* lines;
  }
  if (rest + decoder.decode() !== '') throw new BackupError('The last row of a table in the backup is truncated');
}

/**
 * Reads what `dumpTable` wrote back into the table and returns the number of rows, at most one turn more than `expected`.
 */
export async function loadTable(client: pg.Client, table: string, file: string, expected: number): Promise<number> {
  const columns = await columnsOf(client, table);
  const name = escapeIdentifier(table);
  const insert = `insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, $1::json)`;
  let rows = 0;
  await pipeline(createReadStream(file), createGunzip(), linesIn, async (lines: AsyncIterable<string>) => {
    for await (const turn of inTurns(lines)) {
      rows += turn.length;
      if (rows > expected) return;
      await client.query(insert, [`[${turn.join(',')}]`]);
    }
  });
  return rows;
}

async function* inTurns(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let turn: string[] = [];
  let characters = 0;
  for await (const line of lines) {
    turn.push(line);
    characters += line.length;
    if (turn.length < ROWS_A_TURN && characters < TURN_CHARACTERS) continue;
    yield turn;
    turn = [];
    characters = 0;
  }
  if (turn.length > 0) yield turn;
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

/** Identity counters continue after the highest restored value. */
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
