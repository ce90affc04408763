import { z } from 'zod';
import { inFileName } from './kernel/file-name.ts';
import { GivenDate } from './kernel/time.ts';

const Day = GivenDate('schedule.date');

/** Days by the clock of each device, both included; left out: the first and last day of the flight, or with plays. */
export const StatementPeriod = z.object({ from: Day.optional(), to: Day.optional() });
export type StatementPeriod = z.output<typeof StatementPeriod>;

export const isPeriod = ({ from, to }: StatementPeriod): boolean =>
  from === undefined || to === undefined || from <= to;
export const PERIOD_ORDER = { path: ['to'], error: 'schedule.order' };

/**
 * Why plays that were due are missing on a device, the first that applies: it left the campaign; it was dark on purpose
 * (its working hours or expiry changed after the booking); its files had failed; it had no connection and has not reported
 * plays since; re-planning moved them to other devices. `unknown`: nothing is recorded.
 */
export const GAP_REASONS = ['left', 'dark', 'failed', 'offline', 'replanned', 'unknown'] as const;
export const GapReason = z.enum(GAP_REASONS);
export type GapReason = z.output<typeof GapReason>;

const Figures = z.object({
  /** Plays ordered for the days of the period. */
  ordered: z.number().int(),
  /** Those of them that were due by now. */
  due: z.number().int(),
  delivered: z.number().int(),
  /** Time on screen that was delivered. */
  durationMs: z.number().int(),
});
export type StatementFigures = z.output<typeof Figures>;

const Gap = z.object({
  reason: GapReason,
  plays: z.number().int(),
  /** Open time to which the reason applies, whether all plays in it are missing or not. */
  durationMs: z.number().int(),
});
export type StatementGap = z.output<typeof Gap>;

/** What a device missed of what was due, and played beyond: due − missed + extra = delivered. */
const Deviation = z.object({ missed: z.number().int(), extra: z.number().int() });

/** A device by its name and area. Its id and MAC are for people who have it in scope. */
const StatementDevice = Figures.extend({
  ...Deviation.shape,
  id: z.uuid().nullable(),
  mac: z.string().nullable(),
  name: z.string(),
  area: z.string().nullable(),
  /**
   * It joined after the booking. It has a part in the order unless the campaign has a total. Devices that joined before
   * version 0.2 have no part.
   */
  joinedAt: z.iso.datetime().nullable(),
  leftAt: z.iso.datetime().nullable(),
  gaps: z.array(Gap),
});
export type StatementDevice = z.output<typeof StatementDevice>;

const StatementCreative = Figures.omit({ due: true }).extend({
  /** Null: the ad was deleted. */
  id: z.uuid().nullable(),
  name: z.string(),
});
export type StatementCreative = z.output<typeof StatementCreative>;

/** What is charged for a calendar month, or for the part of it that is in the period. */
export const StatementLine = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  plays: z.number().int(),
  charged: z.number().int(),
  /** Days of the flight, for a fixed price. */
  days: z.number().int(),
  amount: z.string(),
});

/**
 * Delivery and price of a campaign in a period. Days, areas, devices and creatives each add up to the figures of the
 * statement; those of all periods add up to the delivery of the campaign.
 */
export const Statement = Figures.extend({
  ...Deviation.shape,
  campaign: z.object({ id: z.uuid(), name: z.string(), customer: z.string() }),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Time zones of the devices, the most frequent first. */
  timeZones: z.array(z.string()),
  /** Extra plays that made good for missed ones on other devices. */
  makeGoods: z.number().int(),
  gaps: z.array(Gap),
  /** Scans of the QR codes of its ads in the period; null: none carries one. */
  scans: z.number().int().nullable(),
  days: z.array(Figures.extend({ day: z.iso.date(), scans: z.number().int() })),
  areas: z.array(Figures.extend({ ...Deviation.shape, area: z.string().nullable(), devices: z.number().int() })),
  devices: z.array(StatementDevice),
  creatives: z.array(StatementCreative),
  price: z.object({ kind: z.enum(['perPlay', 'perThousand', 'fixed']), amount: z.string(), currency: z.string() }),
  /** What is charged: a line per calendar month. Plays beyond the order are not charged. */
  lines: z.array(StatementLine),
  /** The sum of the lines, as a decimal text with the decimals of its currency. */
  amount: z.string(),
  currency: z.string(),
  createdAt: z.iso.datetime(),
});
export type Statement = z.output<typeof Statement>;

/** The name of a statement's file, without its extension. */
export const statementFileName = ({ campaign, from, to }: Pick<Statement, 'campaign' | 'from' | 'to'>): string =>
  `statement ${inFileName(campaign.name).trim()} ${from} ${to}`;

/** The name of the verification file of a campaign, with the days of its statement where they are not the whole flight. */
export const proofFileName = (campaign: string, { from, to }: StatementPeriod): string =>
  `${[inFileName(campaign).trim(), from, to].filter((part) => part !== undefined).join(' ')}.proof.json`;
