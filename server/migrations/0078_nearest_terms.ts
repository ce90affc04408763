import { type Kysely, sql } from 'kysely';

/**
 * The terms that the nearest user at or above an owner has set, by `user_scopes` instead of step by step: availability and
 * re-planning ask for each owner of thousands of devices.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function default_hours(owner uuid) returns jsonb language sql stable as $$
      select u.working_hours from user_scopes s join users u on u.id = s.ancestor_id
      where s.user_id = owner and u.working_hours is not null
      order by (select count(*) from user_scopes a where a.user_id = u.id) desc limit 1
    $$;

    create or replace function sellable_share(owner uuid) returns integer language sql stable as $$
      select coalesce((
        select t.sellable from user_scopes s join campaign_terms t on t.user_id = s.ancestor_id
        where s.user_id = owner and t.sellable is not null
        order by (select count(*) from user_scopes a where a.user_id = t.user_id) desc limit 1), 80)
    $$;

    create or replace function silent_hours(owner uuid) returns integer language sql stable as $$
      select coalesce((
        select t.silent_hours from user_scopes s join campaign_terms t on t.user_id = s.ancestor_id
        where s.user_id = owner and t.silent_hours is not null
        order by (select count(*) from user_scopes a where a.user_id = t.user_id) desc limit 1), 24)
    $$;
  `.execute(db);
}
