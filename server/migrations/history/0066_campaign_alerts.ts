import { type Kysely, sql } from 'kysely';

/** How long devices may be silent before others play for them, and the people who know that a campaign will be short. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaign_terms
      alter column sellable drop not null,
      add column silent_hours integer check (silent_hours between 1 and 336);

    create function silent_hours(owner uuid) returns integer language sql stable as $$
      with recursive above as (
        select u.superior_id, t.silent_hours
        from users u left join campaign_terms t on t.user_id = u.id where u.id = owner
        union all
        select u.superior_id, t.silent_hours
        from above join users u on u.id = above.superior_id left join campaign_terms t on t.user_id = u.id
        where above.silent_hours is null
      )
      select coalesce((select silent_hours from above where silent_hours is not null), 24)
    $$;

    create table alerts_told_campaigns (
      user_id uuid not null references users on delete cascade,
      campaign_id uuid not null references campaigns on delete cascade,
      since timestamptz not null,
      primary key (user_id, campaign_id)
    );
    create index campaigns_short on campaigns (customer_id) where state = 'booked' and short_since is not null;
  `.execute(db);
}
