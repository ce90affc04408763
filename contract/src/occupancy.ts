import { z } from 'zod';

/** Weeks of an answer before this one, and after it. */
export const OCCUPANCY_WEEKS = { past: 8, ahead: 8 };

/**
 * How much of the sellable time of the screens in scope is booked, by area and week (Monday to Sunday, by the clock of each
 * device). Past weeks count campaigns that were not cancelled.
 */
export const AreaOccupancy = z.object({
  /** Mondays, oldest first. */
  weeks: z.array(z.iso.date()),
  /** The index of this week. */
  current: z.number().int(),
  /** By name; devices without an area are the last. */
  areas: z.array(
    z.object({
      area: z.string().nullable(),
      devices: z.number().int(),
      /** The share (0–1) of the sellable time that is booked; null where no device is open. */
      booked: z.array(z.number().nullable()),
      /** The device with the least room from this week on, and the share of its sellable time that is free; null: none is open. */
      bottleneck: z
        .object({ device: z.object({ id: z.uuid(), mac: z.string(), name: z.string() }), free: z.number() })
        .nullable(),
    }),
  ),
});
export type AreaOccupancy = z.output<typeof AreaOccupancy>;
