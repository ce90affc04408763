import './campaigns.tables.ts';
import type { FlightSchedule } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import type { Deps } from '../platform/process/deps.ts';
import { endOf, OpenTimes } from './carriers.ts';
import { type Rules, rulesOf } from './carriers.sql.ts';
import { ms } from './columns.sql.ts';
import { isPlanned } from './delivery.queries.ts';

/** A device that joined a campaign, as its row `campaign_carriers` says. Instants in milliseconds since 1970. */
interface Joined {
  deviceId: string;
  agreed: Rules;
  /** Names its row to the microsecond. */
  row: string;
  joinedAt: number;
  leftAt: number | null;
  everyMs: number;
  ordered: number;
}

/**
 * Counts what devices that joined add to the order of a campaign: the plays at their pace from then until the flight ends,
 * or until they left. `chosen`: a condition on `k`, a row `campaign_carriers`. The caller holds the campaign.
 */
async function countOrders(
  trx: Db,
  { id, schedule }: { id: string; schedule: FlightSchedule },
  chosen: RawBuilder<boolean>,
): Promise<void> {
  const { rows } = await sql<Joined>`
    select device_id as "deviceId", ${rulesOf} as agreed, joined_at::text as row, ${ms(sql`joined_at`)} as "joinedAt",
      ${ms(sql`left_at`)} as "leftAt", every_ms::float8 as "everyMs", coalesce(ordered, 0)::float8 as ordered
    from campaign_carriers k where campaign_id = ${id} and ${chosen}`.execute(trx);
  if (rows.length === 0) return;
  const times = new OpenTimes();
  const plays = rows.map(({ agreed, joinedAt, leftAt, everyMs }) =>
    Math.floor(times.between({ schedule, ...agreed }, joinedAt, leftAt ?? endOf({ schedule })) / everyMs),
  );
  const more = rows.reduce((sum, { ordered }, index) => sum + (plays[index] ?? 0) - ordered, 0);
  await sql`
    update campaign_carriers k set ordered = n.plays, order_ended = k.left_at is not null
    from unnest(${rows.map(({ deviceId }) => deviceId)}::uuid[], ${rows.map(({ row }) => row)}::timestamptz[],
      ${plays}::bigint[]) n(device_id, joined_at, plays)
    where k.campaign_id = ${id} and k.device_id = n.device_id and k.joined_at = n.joined_at`.execute(trx);
  await sql`update campaigns set ordered = ordered + ${more} where id = ${id}`.execute(trx);
}

/**
 * Adds devices that have just joined to the order of a campaign, which the caller holds. Those that it was booked on have
 * their part already.
 */
export const addOrders = (
  trx: Db,
  campaign: { id: string; schedule: FlightSchedule },
  ids: readonly string[],
): Promise<void> =>
  countOrders(
    trx,
    campaign,
    sql<boolean>`(k.device_id = any(${ids}::uuid[]) and k.left_at is null and not exists (
      select from campaign_carriers b where b.campaign_id = k.campaign_id and b.device_id = k.device_id and b.is_ordered))`,
  );

/** A row `k` of a device that has left since it was counted: devices also leave by being deleted. */
const isEnding = sql<boolean>`(k.ordered > 0 and k.left_at is not null and not k.order_ended)`;

/** Takes what devices would have played after they left from the order of a campaign, which the caller holds. */
export const endOrders = (trx: Db, campaign: { id: string; schedule: FlightSchedule }): Promise<void> =>
  countOrders(trx, campaign, isEnding);

/**
 * Rows `changed` of devices that add to the orders of the campaigns `c` of a condition and are open by other rules now,
 * with these. Default hours are looked up once for each owner.
 */
const withChanged = (condition: RawBuilder<boolean>) => sql`
  with added as materialized (
    select k.*, d.owner_id, d.time_zone as zone_now, d.expires_on as expiry_now, d.working_hours
    from campaigns c join campaign_carriers k on k.campaign_id = c.id join devices d on d.id = k.device_id
    where ${isPlanned} and ${condition} and k.ordered is not null and k.left_at is null and k.joined_at < now()
  ), owner as materialized (
    select o.owner_id, default_hours(o.owner_id) as default_hours from (select distinct owner_id from added) o
  ), ruled as (
    select added.*, coalesce(working_hours, default_hours) as hours_now from added join owner using (owner_id)
  ), changed as materialized (
    select * from ruled where (time_zone, expires_on, hours) is distinct from (zone_now, expiry_now, hours_now)
  )`;

/**
 * Joined devices that are open by other rules now continue in a new row with these: what they add to days that are over
 * stays. A device that leaves at the same moment is held or left out, so that its new row is never left open.
 */
const renewRows = (trx: Db, id: string): Promise<unknown> =>
  sql`
    ${withChanged(sql<boolean>`c.id = ${id}`)}, held as materialized (
      select cd.device_id from campaign_devices cd
      where cd.campaign_id = ${id} and cd.device_id in (select device_id from changed)
      order by cd.device_id for key share skip locked
    ), renewed as (
      update campaign_carriers k set left_at = now() from changed n join held using (device_id)
      where k.campaign_id = ${id} and k.device_id = n.device_id and k.joined_at = n.joined_at and k.left_at is null
      returning n.*
    )
    insert into campaign_carriers (campaign_id, device_id, joined_at, is_ordered, every_ms, spot_ms, name, area, time_zone,
      expires_on, hours, ordered)
    select campaign_id, device_id, now(), is_ordered, every_ms, spot_ms, name, area, zone_now, expiry_now, hours_now, 0
    from renewed`.execute(trx);

/** Of the rows that `renewRows` has made in the same transaction. */
const isRenewed = sql<boolean>`(k.joined_at = now() and k.left_at is null and k.ordered is not null)`;

/**
 * Brings the orders of booked campaigns up to date: joined devices have left them, or are open at other times than before.
 * Jobs that read many orders call it first: other features delete and change devices.
 */
export async function correctOrders({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    ${withChanged(sql<boolean>`true`)}
    select campaign_id as id from changed
    union
    select c.id from campaigns c
    where c.state = 'booked' and exists (select from campaign_carriers k where k.campaign_id = c.id and ${isEnding})
    order by id`.execute(db);
  for (const { id } of rows) {
    await db
      .transaction()
      .execute((trx) => correctOrder(trx, id))
      .catch((error: unknown) => log.warn({ err: error, campaign: id }, 'order of campaign not corrected'));
  }
}

async function correctOrder(trx: Db, id: string): Promise<void> {
  const { rows } = await sql<{ id: string; owner_id: string; schedule: FlightSchedule }>`
    select c.id, c.customer_id as owner_id, c.schedule from campaigns c
    where c.id = ${id} and c.state = 'booked' for no key update`.execute(trx);
  for (const campaign of rows) {
    await renewRows(trx, id);
    await countOrders(trx, campaign, sql<boolean>`(${isEnding} or ${isRenewed})`);
  }
  await publish(trx, ...changed('campaign', rows));
}
