import { type Kysely, sql } from 'kysely';

/** Every file is processed in its own turn, in an order that is fair to owners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What is still to be done before the file is shown; null: its content decides. Identical content of another
    -- tenant may be ready long before: nothing of that is shown while a step is left.
    alter table files add column step text check (step in ('examine', 'convert'));
    -- Percent of a running conversion.
    alter table files add column progress smallint;
    create index files_in_processing on files (id) where step is not null;

    -- Self-clocked fair queueing: "now" is the turn that began last, "turn" the last one that an owner was given.
    create table processing_lanes (
      lane text primary key,
      now bigint not null
    );
    create table processing_turns (
      lane text not null,
      owner_id uuid not null,
      turn bigint not null,
      primary key (lane, owner_id)
    );
  `.execute(db);
}
