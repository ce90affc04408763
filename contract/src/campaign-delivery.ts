import { z } from 'zod';

/** Plays of a campaign, measured each minute. */
export const CampaignProgress = z.object({
  delivered: z.number().int(),
  /** Plays that would be even with the plan now: what was ordered, spread evenly over the open time of the flight. */
  due: z.number().int(),
  /** Plays at the end of the flight at the present rate. */
  forecast: z.number().int(),
  /** Plays that will be missing at the end whatever is re-planned. */
  short: z.number().int(),
});
export type CampaignProgress = z.output<typeof CampaignProgress>;

/** Why a device is behind; `late`: it plays and catches up. */
export const BEHIND_REASONS = ['offline', 'expired', 'failed', 'late'] as const;
export const BehindReason = z.enum(BEHIND_REASONS);
export type BehindReason = z.output<typeof BehindReason>;

/** Devices that an answer names at most, those with the most missing plays first. */
export const BEHIND_MAX = 50;

/** Delivery of a campaign in plays. `hours`: instants at which hours begin, with their plays. */
export const CampaignDelivery = z.object({
  ordered: z.number().int(),
  delivered: z.number().int(),
  /** Plays due by now at the present pace of each device. */
  expected: z.number().int(),
  /** Plays due by now if the order is spread evenly over the open time of the flight. */
  due: z.number().int(),
  /** Plays at the end of the flight at the present rate. */
  forecast: z.number().int(),
  /** Plays that were added on devices to make up for missed ones. */
  makeGoods: z.number().int(),
  /** Plays that will be missing at the end of the flight whatever is re-planned, and since when that is known. */
  short: z.object({ plays: z.number().int(), since: z.iso.datetime() }).nullable(),
  hours: z.array(z.object({ hour: z.iso.datetime(), delivered: z.number().int(), expected: z.number().int() })),
  /** Days of the flight so far, by the clock of each device; `due` as above. */
  days: z.array(z.object({ day: z.iso.date(), delivered: z.number().int(), due: z.number().int() })),
  /** Devices behind their pace, and their missing plays; those in scope are named. */
  behind: z.object({
    devices: z.number().int(),
    plays: z.number().int(),
    named: z.array(
      z.object({
        device: z.object({ id: z.uuid(), mac: z.string(), name: z.string() }),
        area: z.string().nullable(),
        plays: z.number().int(),
        reason: BehindReason,
        lastSeenAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
});
export type CampaignDelivery = z.output<typeof CampaignDelivery>;

/** What holds for campaigns on devices of a leading user and of users below. `sellable`: percent of an hour. */
export const CampaignSettings = z.object({
  /** Its own; null: that of the user above. */
  sellable: z.number().int().nullable(),
  inForce: z.number().int(),
  /** Hours without contact after which a device is not expected to play and others play for it. As above. */
  silentHours: z.number().int().nullable(),
  silentHoursInForce: z.number().int(),
});
export type CampaignSettings = z.output<typeof CampaignSettings>;
