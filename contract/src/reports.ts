import { z } from 'zod';
import { inFileName } from './kernel/file-name.ts';
import { PageQuery, pageOf } from './kernel/page.ts';
import { Id, raw, routeTable } from './kernel/route.ts';
import { GivenDate } from './kernel/time.ts';
import { addDays } from './rules/zone.ts';

/** The longest range of a report. */
export const REPORT_DAYS_MAX = 366;
/** The longest range that is shown by the hour. */
export const REPORT_HOURS_DAYS_MAX = 31;
/** Rows of one exported report. */
export const REPORT_ROWS_MAX = 20_000;

/** Hours and days are those of each device's own clock and calendar. */
export const REPORT_GROUPS = ['hour', 'day', 'ad', 'device', 'file'] as const;
export const ReportGroup = z.enum(REPORT_GROUPS);
export type ReportGroup = z.output<typeof ReportGroup>;

const Day = GivenDate('schedule.date');

/**
 * Filter of plays: the days `from` to `to` inclusive, or the last `days` up to today in each device's time zone
 * (1: only today), an ad, a device, a file, the devices of a user, or those that are in a group now.
 */
const Filter = z.object({
  from: Day.optional(),
  to: Day.optional(),
  days: z.coerce.number().int().min(1).max(REPORT_DAYS_MAX, 'report.range').optional(),
  ad: Id.optional(),
  device: Id.optional(),
  file: Id.optional(),
  owner: Id.optional(),
  deviceGroup: Id.optional(),
});
export type PlaysFilter = z.output<typeof Filter>;

/** The last day that is still within `days` of `first`. */
const lastOf = (first: string, days: number): string => addDays(first, days - 1);

interface Range {
  from?: string | undefined;
  to?: string | undefined;
  days?: number | undefined;
}

const isWhole = ({ from, to, days }: Range): boolean =>
  days === undefined ? from !== undefined && to !== undefined : from === undefined && to === undefined;

const isWithin =
  (max: number) =>
  ({ from, to, days }: Range): boolean =>
    // zod runs this check even if the dates are invalid, which is reported elsewhere.
    from === undefined || to === undefined || !Day.safeParse(from).success
      ? (days ?? 1) <= max
      : to <= lastOf(from, max);

const ranged = <T extends z.ZodType<Range>>(filter: T) =>
  filter
    .refine(isWhole, { path: ['from'], error: 'report.days' })
    .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], error: 'schedule.order' })
    .refine(isWithin(REPORT_DAYS_MAX), { path: ['to'], error: 'report.range' });

const Grouping = z.object({ group: ReportGroup.default('ad') });
const shortHours = (query: Range & { group: ReportGroup }): boolean =>
  query.group !== 'hour' || isWithin(REPORT_HOURS_DAYS_MAX)(query);
const HOURS_TOO_LONG = { path: ['group'], error: 'report.hours' };

/**
 * Plays of one group. `id` is the hour (`2026-11-21T13`), the day (`2026-11-21`) or the id of the ad, device or file;
 * `name` is null for hours and days, and for objects out of scope. `mac` is set for devices.
 */
export const PlaysRow = z.object({
  id: z.string(),
  name: z.string().nullable(),
  mac: z.string().nullable(),
  plays: z.number().int(),
  durationMs: z.number().int(),
  /** Scans of the QR codes of its ads; null for files, and when a file is asked for: a code belongs to an ad. */
  scans: z.number().int().nullable(),
});
export type PlaysRow = z.output<typeof PlaysRow>;

/** The course of plays over a range: one point an hour or a day, empty ones included, oldest first. */
export const PlaysHistory = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  unit: z.enum(['hour', 'day']),
  plays: z.number().int(),
  durationMs: z.number().int(),
  /** Scans of QR codes, as in the rows. */
  scans: z.number().int().nullable(),
  /** Time zones of the devices that it is about, the most frequent first. */
  timeZones: z.array(z.string()),
  /** Current names of the objects in the filter. */
  ad: z.string().nullable(),
  device: z.string().nullable(),
  file: z.string().nullable(),
  owner: z.string().nullable(),
  deviceGroup: z.string().nullable(),
  points: z.array(z.object({ at: z.string(), plays: z.number().int(), durationMs: z.number().int() })),
});
export type PlaysHistory = z.output<typeof PlaysHistory>;

/** A report as it is exported or shared. */
export const ReportQuery = ranged(Filter.extend(Grouping.shape)).refine(shortHours, HOURS_TOO_LONG);
export type ReportQuery = z.output<typeof ReportQuery>;

/** The name of a report's file, without its extension: the customer and the ad that it is limited to, and its days. */
export function reportFileName({ owner, ad, from, to }: Pick<PlaysHistory, 'owner' | 'ad' | 'from' | 'to'>): string {
  const subjects = [owner, ad].flatMap((name) => (name ? [inFileName(name).trim()] : []));
  return `${['play report', ...subjects].join(' ')} ${from} ${to}`;
}

const Format = z.enum(['xls', 'csv']);

export const reports = routeTable({
  plays: {
    method: 'GET',
    url: '/api/reports/plays',
    access: 'user',
    summary: 'Proof of play in scope, by hour or day (oldest first) or by ad, device or file (most plays first)',
    query: ranged(PageQuery.omit({ total: true }).extend({ ...Filter.shape, ...Grouping.shape })).refine(
      shortHours,
      HOURS_TOO_LONG,
    ),
    errors: ['NOT_FOUND'],
    response: pageOf(PlaysRow),
  },
  history: {
    method: 'GET',
    url: '/api/reports/plays/history',
    access: 'user',
    summary: 'Totals and time series of plays: per hour for up to two days, otherwise per day',
    query: ranged(Filter),
    errors: ['NOT_FOUND'],
    response: PlaysHistory,
  },
  export: {
    method: 'GET',
    url: '/api/reports/plays/export',
    access: 'user',
    summary: 'The play report as a spreadsheet, with totals',
    query: ranged(Filter.extend({ ...Grouping.shape, format: Format.default('xls') })).refine(
      shortHours,
      HOURS_TOO_LONG,
    ),
    errors: ['NOT_FOUND'],
    response: raw('application/vnd.ms-excel', 'text/csv'),
  },
});
