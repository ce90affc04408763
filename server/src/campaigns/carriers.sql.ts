import type { WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';

/** When a device is open: its zone, its expiry and its working hours. */
export interface Rules {
  timeZone: string;
  expiresOn: string | null;
  hours: WorkingHours | null;
}

/** Of a row `campaign_carriers` `k`. */
export const rulesOf = sql<Rules>`jsonb_build_object('timeZone', k.time_zone, 'expiresOn', k.expires_on, 'hours', k.hours)`;

/**
 * The zone by which plays of a campaign on a device `d` have their days. If it was deleted, `d` is null: its last zone,
 * as far as it is known.
 */
export const zoneIn = (campaignId: RawBuilder<unknown>, deviceId: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`coalesce(d.time_zone, (
    select coalesce(k.last_zone, k.time_zone) from campaign_carriers k
    where k.campaign_id = ${campaignId} and k.device_id = ${deviceId} order by k.joined_at desc limit 1), 'UTC')`;
