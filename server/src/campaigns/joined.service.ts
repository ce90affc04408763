import './campaigns.tables.ts';
import type { FlightSchedule } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import type { Deps } from '../platform/process/deps.ts';
import { endOf, OpenTimes } from './carriers.ts';
import { type Rules, rulesOf } from './carriers.sql.ts';
import { ms } from './columns.sql.ts';

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
      ${ms(sql`left_at`)} as "leftAt", every_ms::float8 as "everyMs", ordered::float8 as ordered
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
 * Ends the orders of devices that have left booked campaigns. Whatever reads the orders of many campaigns calls it before,
 * because a device may leave in a way that this feature does not see.
 */
export async function correctOrders({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select c.id from campaigns c
    where c.state = 'booked' and exists (select from campaign_carriers k where k.campaign_id = c.id and ${isEnding})
    order by c.id`.execute(db);
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
    where c.id = ${id} and c.state = 'booked' for update`.execute(trx);
  for (const campaign of rows) await endOrders(trx, campaign);
  await publish(trx, ...changed('campaign', rows));
}
