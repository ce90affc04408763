import { z } from 'zod';

export const PLAYS_TOTAL_MAX = 1_000_000_000;
export const PLAYS_PER_HOUR_MAX = 3600;

/**
 * `perHour`: plays an hour on each screen, all creatives together. `share`: percent of the open time of each screen.
 * `total`: plays over the flight on all screens.
 */
export const CampaignGoal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('perHour'), value: z.number().min(0.01).max(PLAYS_PER_HOUR_MAX) }),
  z.object({ kind: z.literal('share'), value: z.number().min(0.01).max(100) }),
  z.object({ kind: z.literal('total'), value: z.number().int().min(1).max(PLAYS_TOTAL_MAX) }),
]);
export type CampaignGoal = z.output<typeof CampaignGoal>;
