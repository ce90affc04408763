import { covers, type Schedule } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../../server/src/platform/database/database.ts';

const SELLABLE = 0.8;
const HOUR_MS = 3_600_000;
/** Sums of shares are floats. */
const TOLERANCE = 1e-9;

/** Booked screen-hours, and those of them over what may be sold. */
export interface Sum {
  hours: number;
  over: number;
  fullest: number;
}

/**
 * The share that is booked from a day on, on each device in each hour: summed hour by hour, by the rule by which players judge a
 * schedule.
 */
export async function sumBooked(db: Db, from: string, days: number): Promise<Sum> {
  const { rows } = await sql<{ id: string; schedule: Schedule; device: string; share: number }>`
    select c.id, c.schedule, cd.device_id as device, cd.spot_ms::float8 / cd.every_ms as share
    from campaigns c join campaign_devices cd on cd.campaign_id = c.id where c.state = 'booked'`.execute(db);
  const hoursOf = (schedule: Schedule): number[] =>
    Array.from({ length: days * 24 }, (_, hour) => hour).filter((hour) =>
      covers(schedule, Date.parse(from) + hour * HOUR_MS, 'UTC'),
    );
  const running = new Map<string, number[]>();
  const booked = new Map<string, Float64Array>();
  for (const { id, schedule, device, share } of rows) {
    const sums = booked.get(device) ?? new Float64Array(days * 24);
    booked.set(device, sums);
    const hours = running.get(id) ?? hoursOf(schedule);
    running.set(id, hours);
    for (const hour of hours) sums[hour] = (sums[hour] ?? 0) + share;
  }
  const sum = { hours: 0, over: 0, fullest: 0 };
  for (const sums of booked.values()) {
    for (const share of sums) {
      if (share === 0) continue;
      sum.hours += 1;
      if (share > SELLABLE + TOLERANCE) sum.over += 1;
      sum.fullest = Math.max(sum.fullest, share);
    }
  }
  return sum;
}
