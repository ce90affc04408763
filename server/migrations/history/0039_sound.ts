import { type Kysely, sql } from 'kysely';

/** Whether ads and screens sound, and the colour behind an ad's files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ads
      add column muted boolean not null default false,
      add column background text not null default '#000000';
    alter table devices add column sound jsonb not null default '{"main": true, "secondary": false}';
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
