import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';

interface Limits {
  /** Maximum number of running batches; each occupies a connection. */
  atOnce: number;
  /** Maximum number of keys in one batch. */
  size: number;
  /**
   * After each batch, the next one waits for twice the time that it took, at most so many milliseconds: the batches of a
   * stampede are fewer and larger.
   */
  restMaxMs?: number;
}

/** How long the rest after a batch is, as a multiple of the time that the batch took. */
const RESTS = 2;

/**
 * Asks for many keys together. While `atOnce` batches are under way, whoever comes joins the next one: a single
 * question is asked at once, ten thousand become a few large ones. `load` answers an error in the place of a key that
 * has no value; nothing is remembered.
 */
export function inBatches<K, V>(
  load: (keys: readonly K[]) => Promise<(V | Error)[]>,
  { atOnce, size, restMaxMs = 0 }: Limits,
): (key: K) => Promise<V> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let nextAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    while (underWay < atOnce && waiting.length > 0) {
      const waitMs = nextAt - performance.now();
      if (waitMs > 0) {
        timer ??= setTimeout(() => {
          timer = undefined;
          begin();
        }, waitMs);
        return;
      }
      underWay += 1;
      waiting.shift()?.();
    }
  };
  const loadBatch = async (keys: readonly K[]): Promise<(V | Error)[]> => {
    const begun = performance.now();
    try {
      return await load(keys);
    } finally {
      const now = performance.now();
      nextAt = now + Math.min(restMaxMs, RESTS * (now - begun));
      underWay -= 1;
      begin();
    }
  };
  const loader = new DataLoader<K, V>(loadBatch, {
    cache: false,
    maxBatchSize: size,
    batchScheduleFn: (dispatch) => {
      waiting.push(dispatch);
      // After what came in with the same turn of the event loop.
      setImmediate(begin);
    },
  });
  return (key) => loader.load(key);
}

/** The answer for a key whose row another transaction holds. */
export const BUSY = Symbol('busy');

const BUSY_WAIT_MS = 25;
const BUSY_WAIT_MAX_MS = 800;

/**
 * As `inBatches`. A key that is answered `BUSY` is asked for again, less and less often, until its row is free: no
 * statement waits for a lock, so that one row delays no other key.
 */
export function inFreeBatches<K, V>(
  load: (keys: readonly K[]) => Promise<(V | Error | typeof BUSY)[]>,
  limits: Limits,
): (key: K) => Promise<V> {
  const ask = inBatches<K, V | typeof BUSY>(load, limits);
  return async (key) => {
    let answer = await ask(key);
    for (let waitMs = BUSY_WAIT_MS; answer === BUSY; waitMs = Math.min(2 * waitMs, BUSY_WAIT_MAX_MS)) {
      await sleep(waitMs, undefined, { ref: false });
      answer = await ask(key);
    }
    return answer;
  };
}
