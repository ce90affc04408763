import { addDays, type Carrier, forecast } from '@ams/contract';
import { endOf, makeMidnights, type OpenTimes, startOf, weighOpenTime } from './carriers.ts';
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
  const [first] = rows;
  if (!first) return { by: () => 0, on: () => 0 };
  const begin = startOf(first);
  const midnight = makeMidnights();
  const openMs = weighOpenTime(rows, times, () => 1);
  const whole = openMs(() => [begin, endOf(first)]);
  const playsIn = (spanOf: Parameters<typeof openMs>[0]) => (whole === 0 ? 0 : (ordered * openMs(spanOf)) / whole);
  return {
    by: (at) => playsIn(() => [begin, at]),
    on: (day, until) =>
      playsIn((timeZone) => [midnight(day, timeZone), Math.min(midnight(addDays(day, 1), timeZone), until)]),
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
