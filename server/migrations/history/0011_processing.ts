import { type Kysely, sql } from 'kysely';

/** How far the conversion of a content is, and which server process works on it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table blobs add column progress smallint;

    -- The workers of the job queue by server process: what a dead one was doing, another goes on with.
    create table job_workers (
      worker_id text primary key,
      process_id uuid not null
    );
    create index job_workers_process on job_workers (process_id);
  `.execute(db);
}
