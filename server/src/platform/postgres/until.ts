import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until `condition` holds; answers false when it does not within `limitMs`. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() >= end) return false;
    await delay(POLL_MS);
  }
  return true;
}
