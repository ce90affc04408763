import { type Kysely, sql } from 'kysely';

/** The share of an hour, in percent, that may be sold on the devices of an owner: that of the nearest user at or above. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sellable_share(owner uuid) returns integer language sql stable as $$
      with recursive above as (
        select u.superior_id, t.sellable from users u left join campaign_terms t on t.user_id = u.id where u.id = owner
        union all
        select u.superior_id, t.sellable
        from above join users u on u.id = above.superior_id left join campaign_terms t on t.user_id = u.id
        where above.sellable is null
      )
      select coalesce((select sellable from above where sellable is not null), 80)
    $$;
  `.execute(db);
}
