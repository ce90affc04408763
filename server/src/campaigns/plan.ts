import { type Carrier, forecast } from '@ams/contract';
import { endOf, type OpenTime, type OpenTimes, startOf } from './carriers.ts';
import type { CarrierRow, Order } from './delivery.queries.ts';

/** Where a campaign is: plays that would be even with its plan, and those at the end at the present rate. */
export interface Standing {
  id: string;
  due: number;
  forecast: number;
}

/** Plays of an order that are due by an instant if it is spread evenly over the open time of its flight. */
export type Plan = (at: number) => number;

/** The plan of an order on the devices that carry it; without any, it is due evenly throughout the days of the flight. */
export function planOf({ ordered }: Pick<Order, 'ordered'>, rows: readonly CarrierRow[], times: OpenTimes): Plan {
  const counts = new Map<OpenTime, number>();
  for (const row of rows) counts.set(times.of(row), (counts.get(times.of(row)) ?? 0) + 1);
  const [first] = rows;
  if (!first) return () => 0;
  const begin = Math.max(startOf(first), first.bookedAt);
  const open = (at: number): number => {
    let sum = 0;
    for (const [time, count] of counts) sum += count * Math.max(time(at) - time(begin), 0);
    return sum;
  };
  const whole = open(endOf(first));
  return (at) => (whole === 0 ? 0 : (ordered * open(at)) / whole);
}

/** Where a campaign stands at `now`, milliseconds since 1970. */
export function standingOf(
  order: Order,
  rows: readonly CarrierRow[],
  carriers: readonly Carrier[],
  times: OpenTimes,
  now: number,
): Standing {
  const coming = carriers.reduce((sum, carrier) => sum + forecast(carrier), 0);
  return {
    id: order.id,
    due: Math.round(planOf(order, rows, times)(now)),
    forecast: Math.round(order.left + coming),
  };
}
