import './campaigns.tables.ts';
import type { CampaignDelivery } from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { readCampaign } from './campaigns.queries.ts';
import { dueOf, OpenTimes } from './carriers.ts';
import { type CarrierRow, findCarriers, findHours } from './delivery.queries.ts';

const HOUR_MS = 3_600_000;

/** Spots due on a device on its present pace between two instants. */
const dueOn = (row: CarrierRow, times: OpenTimes, from: number, to: number): number =>
  times.between(row, Math.max(from, row.bookedAt), to) / row.everyMs;

/**
 * The delivery of a campaign in scope: late plays count at their hour. Expected plays are those of the present paces.
 * Throws `NOT_FOUND`.
 */
export async function getDelivery(db: Db, viewer: Viewer, id: string, now = Date.now()): Promise<CampaignDelivery> {
  const { ordered, make_goods: makeGoods, short, short_since: shortSince } = await readCampaign(db, viewer, id);
  const rows = await findCarriers(db, sql<boolean>`c.id = ${id}`);
  const hours = await findHours(db, id);
  const times = new OpenTimes();
  const expectedIn = (hour: Date): number =>
    rows.reduce((sum, row) => sum + dueOn(row, times, hour.getTime(), Math.min(hour.getTime() + HOUR_MS, now)), 0);
  return {
    ordered: ordered ?? 0,
    delivered: hours.reduce((sum, { delivered }) => sum + delivered, 0),
    expected: Math.round(rows.reduce((sum, row) => sum + dueOf(row, times, now), 0)),
    makeGoods,
    short: short > 0 && shortSince ? { plays: short, since: shortSince.toISOString() } : null,
    hours: hours.map(({ hour, delivered }) => ({
      hour: hour.toISOString(),
      delivered,
      expected: Math.round(expectedIn(hour)),
    })),
  };
}
