import { addDays, type PlaysFilter, REPORT_DAYS_MAX } from '@ams/contract';

/** The available ranges; those named by a number end today, in each device's time zone. */
export const RANGES = ['1', 'yesterday', '7', '30', 'month', 'custom'] as const;
export type RangeName = (typeof RANGES)[number];

export type Range = Pick<PlaysFilter, 'from' | 'to' | 'days'>;

/** Message key of an invalid range; undefined if the range is valid. */
export type RangeFault = 'report.days' | 'schedule.order' | 'report.range';

/** `today` is a date. Yesterday and the last month are whole ones before it. */
export function rangeOf(name: RangeName, today: string, custom: { from?: string; to?: string }): Range {
  if (name === 'custom') return { from: custom.from, to: custom.to };
  if (name === 'yesterday') {
    const day = addDays(today, -1);
    return { from: day, to: day };
  }
  if (name !== 'month') return { days: Number(name) };
  const end = addDays(`${today.slice(0, 7)}-01`, -1);
  return { from: `${end.slice(0, 7)}-01`, to: end };
}

export function faultOf({ from, to, days }: Range): RangeFault | undefined {
  if (days !== undefined) return undefined;
  if (!from || !to) return 'report.days';
  if (to < from) return 'schedule.order';
  return addDays(from, REPORT_DAYS_MAX - 1) < to ? 'report.range' : undefined;
}
