import { addDays, type Carrier, forecast, zonedInstant } from '@ams/contract';
import { endOf, groupsOf, type OpenTimes, startOf } from './carriers.ts';
import type { CarrierRow, Order } from './delivery.queries.ts';

/** Where a campaign is: plays that would be even with its plan, and those at the end at the present rate. */
export interface Standing {
  id: string;
  due: number;
  forecast: number;
}

/** An order, spread evenly over the open time of its flight. */
export interface Plan {
  /** Plays that are due by an instant. */
  by: (at: number) => number;
  /** Plays that are due on a day (`YYYY-MM-DD`) by the clock of each device, up to an instant. */
  on: (day: string, until: number) => number;
}

/** The plan of an order on the devices that carry it; without any, nothing is due. */
export function planOf({ ordered }: Pick<Order, 'ordered'>, rows: readonly CarrierRow[], times: OpenTimes): Plan {
  const groups = groupsOf(rows, times);
  const [first] = rows;
  if (!first) return { by: () => 0, on: () => 0 };
  const openMs = (spanOf: (row: CarrierRow) => [from: number, to: number]): number => {
    let sum = 0;
    for (const { open, bookedAt, rows: alike } of groups) {
      const [from, to] = spanOf(alike[0] ?? first);
      const begin = Math.max(startOf(first), bookedAt);
      sum += alike.length * Math.max(open(Math.max(to, begin)) - open(Math.max(from, begin)), 0);
    }
    return sum;
  };
  const whole = openMs((row) => [startOf(row), endOf(row)]);
  const playsIn = (spanOf: Parameters<typeof openMs>[0]) => (whole === 0 ? 0 : (ordered * openMs(spanOf)) / whole);
  return {
    by: (at) => playsIn((row) => [startOf(row), at]),
    on: (day, until) =>
      playsIn(({ timeZone }) => [
        zonedInstant(day, 0, timeZone),
        Math.min(zonedInstant(addDays(day, 1), 0, timeZone), until),
      ]),
  };
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
    due: Math.round(planOf(order, rows, times).by(now)),
    forecast: Math.round(order.left + coming),
  };
}
