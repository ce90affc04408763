import './campaigns.tables.ts';
import { sql } from 'kysely';
import { utcToday } from '../platform/database/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import type { Standing } from './plan.ts';

/** Plays are counted for this long after a flight: devices report what they played without a network. */
const LATE_DAYS = 90;

/**
 * Notes where campaigns stand, and what they delivered since; publishes those that changed. Campaigns that somebody
 * changes at this moment are left for the next minute.
 */
export const noteStandings = (db: Db, standings: readonly Standing[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; owner_id: string }>`
      with standing as (
        select * from unnest(${standings.map(({ id }) => id)}::uuid[], ${standings.map(({ due }) => due)}::bigint[],
          ${standings.map(({ forecast }) => forecast)}::bigint[]) as t(id, due, forecast)
      ), chosen as materialized (
        select c.id from campaigns c
        where c.ordered is not null and c.ends_on >= ${utcToday} - ${LATE_DAYS}::integer order by c.id
        for no key update skip locked
      ), delivered as (
        select s.campaign_id, floor(sum(s.spots) + 1e-6)::bigint as spots from campaign_sums s
        where s.campaign_id in (select id from chosen) group by 1
      ), now_is as (
        select c.id, coalesce(d.spots, 0) as delivered,
          case when t.id is not null then t.due when c.state = 'booked' and c.ends_on < ${utcToday} - 1 then c.ordered
            else c.due end as due,
          case when t.id is not null then t.forecast when c.state = 'booked' and c.starts_on > ${utcToday} + 1
            then c.ordered - c.short else coalesce(d.spots, 0) end as forecast,
          -- Plays that are reported after a flight can still make up for what was missing.
          case when t.id is null and c.state = 'booked' and c.ends_on < ${utcToday} - 1
            then greatest(c.ordered - coalesce(d.spots, 0), 0) end as missing
        from chosen join campaigns c on c.id = chosen.id left join delivered d on d.campaign_id = c.id
          left join standing t on t.id = c.id
      )
      update campaigns c set delivered = n.delivered, due = n.due, forecast = n.forecast,
        short = least(c.short, n.missing), short_since = case when least(c.short, n.missing) > 0 then c.short_since end
      from now_is n
      where c.id = n.id and (c.delivered, c.due, c.forecast, c.short)
        is distinct from (n.delivered, n.due, n.forecast, least(c.short, n.missing))
      returning c.id, c.customer_id as owner_id`.execute(trx);
    await publish(trx, ...changed('campaign', rows));
  });

/** Tells everybody who may see a campaign that it changed. */
export const tellCampaign = (trx: Db, id: string, customerId: string): Promise<void> =>
  publish(trx, { topic: 'changed', kind: 'campaign', ids: [id], owners: [customerId] });
