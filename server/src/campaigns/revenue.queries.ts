import './campaigns.tables.ts';
import type { Campaign, CampaignPrice, Earning, FlightSchedule, UserRef } from '@ams/contract';
import { sql } from 'kysely';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { rulesOf } from './carriers.sql.ts';
import { bookedOn, cancelledOn, priceOf } from './columns.sql.ts';
import { completed } from './delivery.queries.ts';
import { isRunning } from './short.ts';
import type { CarrierClass } from './statement.order.ts';
import { agreedFirst, joinOf, placed } from './statement.queries.ts';

/** A campaign that was booked, with its plays by month. */
export interface EarningRow {
  id: string;
  name: string;
  customer: UserRef;
  price: CampaignPrice;
  schedule: FlightSchedule;
  ordered: number;
  decidedAt: string | null;
  /** By the clock of most of its devices. */
  bookedOn: string | null;
  cancelledOn: string | null;
  /** Null unless it runs. */
  progress: Campaign['progress'];
  /** Until it was cancelled. */
  plays: Earning['plays'];
}

/**
 * Parts of spots that a campaign `c` played after the day on which it was cancelled, by month. Days of devices differ from
 * that one by less than two.
 */
const playedLate = sql`
  select date_trunc('month', p.day)::date as month, p.spots from campaign_sums s cross join lateral (${placed(sql`
    h.campaign_id = s.campaign_id and h.device_id = s.device_id and h.hour > c.cancelled_at - interval '2 days'`)}) p
  where s.campaign_id = c.id and c.cancelled_at is not null and p.day > ${cancelledOn}::date`;

/** The booked campaigns in scope that can have amounts between two days: one query, which reads sums by month. */
export async function findEarnings(db: Db, viewer: Scoped, from: string, to: string): Promise<EarningRow[]> {
  const { rows } = await sql<EarningRow>`
    select c.id, c.name, ${userRef(sql`c.customer_id`)} as customer, c.schedule, c.ordered::float8 as ordered,
      ${priceOf} as price,
      ${iso(sql`c.decided_at`)} as "decidedAt", ${bookedOn} as "bookedOn", ${cancelledOn} as "cancelledOn",
      case when ${isRunning} then
        jsonb_build_object('delivered', c.delivered, 'due', c.due, 'forecast', c.forecast, 'short', c.short)
        end as progress,
      coalesce((select jsonb_agg(jsonb_build_object('month', to_char(m.month, 'YYYY-MM'), 'plays', m.plays)) from (
        select month, ${completed(sql`sum(spots)`, sql`month`)} as plays from (
          select month, spots from campaign_months where campaign_id = c.id
          union all select month, -spots from (${playedLate}) late) s group by month) m), '[]') as plays
    from campaigns c
    where ${inScope(viewer, sql`c.customer_id`)} and c.ordered is not null and c.starts_on <= ${to}::date
      and (c.ends_on >= ${from}::date or exists (
        select from campaign_months m where m.campaign_id = c.id and m.month >= ${from}::date))
    order by c.created_at desc, c.id`.execute(db);
  return rows;
}

/** The devices that campaigns were booked on, and those that add to their orders, in classes with equal terms, by campaign. */
export async function findCarrierClasses(db: Db, ids: readonly string[]): Promise<Map<string, CarrierClass[]>> {
  const { rows } = await sql<{ id: string; classes: CarrierClass[] }>`
    with agreed as (
      select distinct on (campaign_id, device_id) k.* from campaign_carriers k where campaign_id = any(${ids}::uuid[])
      order by campaign_id, device_id, ${agreedFirst}
    ), term as (
      select campaign_id, every_ms, ${rulesOf} as agreed, null::jsonb as "join" from agreed k where is_ordered
      union all
      select campaign_id, every_ms, ${rulesOf}, ${joinOf} from campaign_carriers k
      where campaign_id = any(${ids}::uuid[]) and ordered > 0
    ), class as (
      select campaign_id, jsonb_build_object('everyMs', every_ms, 'devices', count(*), 'agreed', agreed, 'join', "join")
        as class
      from term group by campaign_id, every_ms, agreed, "join"
    )
    select campaign_id as id, jsonb_agg(class) as classes from class group by campaign_id`.execute(db);
  return new Map(rows.map(({ id, classes }) => [id, classes]));
}
