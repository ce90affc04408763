import { type Kysely, sql } from 'kysely';

/** Tags of devices, normalised (`rules/tags.ts`), each once and in alphabetical order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table devices add column tags text[] not null default '{}';
    create index devices_tags on devices using gin (tags) where tags <> '{}';
    -- A view has the columns that its table had when it was made.
    drop view devices_now;
    create view devices_now as
      select d.*,
        exists (select from living_processes p where p.id = d.lease) as online,
        d.done_revision >= d.revision as done,
        coalesce(d.expires_at <= now(), false) as expired,
        coalesce(d.expires_at > now() and d.expires_at <= now() + interval '720 hours', false) as expiring
      from devices d;
  `.execute(db);
}
