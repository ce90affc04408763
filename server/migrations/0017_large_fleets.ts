import { type Kysely, sql } from 'kysely';

/** What keeps reports and lists as quick for a million machines as for a thousand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runningMonths(db);
}

/**
 * The sums of a month by machine and item become running ones: what played from its first day to each of its days.
 * Any range of days is then the difference of two numbers in each month's row, instead of a row a day.
 */
async function runningMonths(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Two arrays of one length, element by element.
    create function add_each(a anyarray, b anyarray) returns anyarray language sql immutable parallel safe as $$
      select array_agg(x.a + x.b order by x.nth) from unnest(a, b) with ordinality as x(a, b, nth)
    $$;

    -- Element n is what played from the first to the n-th day; a short month's last days repeat its end.
    alter table play_item_months add column plays_to integer[], add column ms_to bigint[];
    update play_item_months m set (plays_to, ms_to) = (
      select array_agg(r.plays::integer order by r.nth), array_agg(r.ms::bigint order by r.nth)
      from (
        select nth, sum(coalesce(d.plays, 0)) over running as plays, sum(coalesce(d.duration_ms, 0)) over running as ms
        from generate_series(1, 31) nth left join play_item_days d
          on d.device_id = m.device_id and d.item_id = m.item_id
            and d.day = m.month + nth - 1 and d.day < m.month + interval '1 month'
        window running as (order by nth)
      ) r
    );
    alter table play_item_months
      alter column plays_to set not null,
      alter column ms_to set not null,
      drop column plays,
      drop column duration_ms;
  `.execute(db);
}
