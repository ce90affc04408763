import type {
  CampaignGoal,
  CampaignState,
  DeviceChoice,
  FlightSchedule,
  Orientation,
  PriceKind,
  WorkingHours,
} from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    campaigns: {
      id: string;
      name: string;
      customer_id: string;
      created_by: string | null;
      state: Generated<CampaignState>;
      orientation: Orientation;
      target: ColumnType<DeviceChoice, string, string>;
      /** Its ids and filters mean devices in the scope of this user. */
      target_by: string | null;
      /** The group of the target; null when it was deleted, too. */
      group_id: string | null;
      standing: boolean;
      schedule: ColumnType<FlightSchedule, string, string>;
      /** The dates of `schedule`. */
      starts_on: string;
      ends_on: string;
      goal_kind: CampaignGoal['kind'];
      goal_value: number;
      price_kind: PriceKind;
      /** Decimal text: read it as `::text`, never as a number. */
      price_amount: string;
      price_currency: string;
      /** Plays over the flight as booked, and those that devices have added that joined. */
      ordered: number | null;
      remark: string | null;
      created_at: Generated<Date>;
      updated_at: Generated<Date>;
      requested_at: Date | null;
      requested_by: string | null;
      decided_at: Date | null;
      decided_by: string | null;
      cancelled_at: Date | null;
      cancelled_by: string | null;
      /** Plays that re-planning added on devices, to make up for missed ones. */
      make_goods: Generated<number>;
      /** Plays that will be missing at the end of the flight whatever is re-planned, and since when that is known. */
      short: Generated<number>;
      short_since: Date | null;
      /** Plays so far, those that would be even with the plan, and those at the end at the present rate. */
      delivered: Generated<number>;
      due: Generated<number>;
      forecast: Generated<number>;
    };
    /** Delivered spots of a campaign on a device: the sums of `campaign_hours`, kept by a trigger. */
    campaign_sums: { campaign_id: string; device_id: string; spots: number };
    /** The same by month (its first day) on the clock of the device, kept by triggers. */
    campaign_months: { campaign_id: string; month: string; device_id: string; spots: number };
    /** Creatives in rotation. */
    campaign_creatives: {
      campaign_id: string;
      position: number;
      /** Null when the ad was deleted. */
      ad_id: string | null;
      ad_name: string;
      /** `updated_at` and hash of the content of the ad when it was requested or booked. */
      ad_version: Date | null;
      content_hash: string | null;
      spot_ms: number | null;
      release_id: string | null;
    };
    /** The devices that carry a booked campaign: open time between two of its spots there, and their mean length. */
    campaign_devices: {
      campaign_id: string;
      device_id: string;
      every_ms: number;
      spot_ms: number;
      /** The pace began at this instant, when `due_before` spots were due. */
      paced_from: Generated<Date>;
      due_before: Generated<number>;
    };
    /**
     * Devices that carry or carried it, under the terms of when they joined; written by triggers of `campaign_devices`, and
     * kept. A joined device whose hours, zone or expiry change has a further row, which begins when the other one ends.
     */
    campaign_carriers: {
      campaign_id: string;
      device_id: string;
      joined_at: Date;
      left_at: Date | null;
      /** It was booked, not joined later. */
      is_ordered: boolean;
      every_ms: number;
      spot_ms: number;
      name: string;
      area: string | null;
      time_zone: string;
      /** The zone that the device had when it was deleted; null: it was not, or by an earlier version. */
      last_zone: string | null;
      expires_on: string | null;
      hours: WorkingHours | null;
      /** Plays that it adds to the order because it joined; null: none, whatever changes on it. */
      ordered: number | null;
      /** `ordered` ends when it left. Otherwise it is that of the flight. */
      order_ended: Generated<boolean>;
    };
    /** Terms of a leading user; null: those of the user above. */
    campaign_terms: { user_id: string; sellable: number | null; silent_hours: number | null };
  }
}
