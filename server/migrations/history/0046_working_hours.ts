import { type Kysely, sql } from 'kysely';

/**
 * Working hours (`contract/src/hours.ts`), volume and brightness of devices, and default working hours of users. Null
 * hours are those of the nearest user at or above the owner that has any.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column working_hours jsonb;
    alter table devices
      add column working_hours jsonb,
      add column volume smallint,
      add column volume_hours jsonb not null default '[]',
      add column brightness smallint,
      add column brightness_hours jsonb not null default '[]';
    create function default_hours(owner uuid) returns jsonb language sql stable as $$
      with recursive above as (
        select superior_id, working_hours from users where id = owner
        union all
        select u.superior_id, u.working_hours from above join users u on u.id = above.superior_id
        where above.working_hours is null
      )
      select working_hours from above where working_hours is not null
    $$;
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
