import { type Kysely, sql } from 'kysely';

/** Delivered spots by device, and the progress of each campaign, which is measured each minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table campaign_sums (
      campaign_id uuid not null references campaigns on delete cascade,
      device_id uuid not null,
      spots double precision not null,
      primary key (campaign_id, device_id)
    );
    create function campaign_hours_note_sum() returns trigger language plpgsql as $$
    begin
      insert into campaign_sums (campaign_id, device_id, spots)
      values (new.campaign_id, new.device_id, new.spots - case when tg_op = 'UPDATE' then old.spots else 0 end)
      on conflict (campaign_id, device_id) do update set spots = campaign_sums.spots + excluded.spots;
      return null;
    end $$;
    create trigger campaign_hours_note_sum after insert or update of spots on campaign_hours
      for each row execute function campaign_hours_note_sum();
    insert into campaign_sums (campaign_id, device_id, spots)
    select campaign_id, device_id, sum(spots) from campaign_hours group by 1, 2;

    alter table campaigns
      add column delivered bigint not null default 0,
      add column due bigint not null default 0,
      add column forecast bigint not null default 0;
    update campaigns c set
      delivered = coalesce((select floor(sum(s.spots) + 1e-6) from campaign_sums s where s.campaign_id = c.id), 0),
      forecast = coalesce(c.ordered, 0)
    where c.ordered is not null;
  `.execute(db);
}
