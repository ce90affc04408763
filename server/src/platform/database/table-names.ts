import { type Kysely, PostgresIntrospector, sql, type TableMetadata } from 'kysely';

/**
 * Names the tables of a database, which is all that migrations ask for; `columns` stays empty. Kysely's own statement also
 * looks up each table that it has found once more by its name, and fails when another process renames or drops one of them
 * meanwhile.
 */
export class TableNames extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables`.execute(this.#db);
    return rows.map((table) => ({ ...table, isView: false, isForeign: false, columns: [] }));
  }
}
