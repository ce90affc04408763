import { loadavg } from 'node:os';
import autocannon from 'autocannon';
import { percentile } from '../e2e/percentile.ts';

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** Other load on this computer at this moment. */
export const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`;

/** Whether a goal is reached, as written in the results. */
export const verdict = (reached: boolean): string => (reached ? 'reached' : 'NOT reached');

interface Side {
  url: string;
  headers?: Record<string, string>;
  /** Content of a valid response; any other ends the benchmark. */
  status?: number;
}

/** Requests a second over `seconds`, by `connections` that ask as fast as they are answered. */
export async function requestsASecond(
  side: Side,
  { seconds, connections = 50 }: { seconds: number; connections?: number },
) {
  const { status = 200 } = side;
  const result = await autocannon({ url: side.url, headers: side.headers, connections, duration: seconds });
  const { total } = result.requests;
  const good = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (good === 0 || good < total || result.errors > 0) {
    throw new Error(`${side.url}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  }
  return total / result.duration;
}

/** Both sides in turn, so that what else the device does falls on both: the median of each. */
export async function inTurn<K extends string>(
  rounds: number,
  sides: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const names = Object.keys(sides) as K[];
  const figures = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures.get(name)?.push(await sides[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<K, number>;
}
