import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;

/** Reads a list of devices ten times a second while `work` lasts and returns the milliseconds of each call. */
export async function whileLooking<T>(origin: string, token: string, work: () => Promise<T>): Promise<[T, number[]]> {
  const times: number[] = [];
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const start = performance.now();
      const reply = await fetch(`${origin}/api/devices?limit=20`, { headers: { authorization: `Bearer ${token}` } });
      await reply.arrayBuffer();
      // A list that was refused never came.
      times.push(reply.ok ? performance.now() - start : Number.POSITIVE_INFINITY);
      await sleep(PAUSE_MS);
    }
  };
  const looking = look();
  const done = await work();
  stop.abort();
  await looking;
  return [done, times];
}
