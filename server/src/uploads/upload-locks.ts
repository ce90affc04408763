import { ERRORS, type Lock, type Locker } from '@tus/server';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../platform/process/deps.ts';
import { publish } from '../platform/events/events.ts';
import { giveLockBack, takeLock } from './uploads.queries.ts';

const GIVE_UP_MS = 30_000;
const LOOK_MS = 50;
/** Between asking whoever holds the lock to let go; a message may have been lost. */
const ASK_MS = 1000;
const GIVE_BACK_AGAIN_MS = 1000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * At most one request works on an upload, across all server processes. A later request asks the earlier one to end,
 * which usually belongs to the same client and hangs
 * (https://tus.io/protocols/resumable-upload, "Locks").
 */
export class UploadLocks implements Locker {
  readonly #deps: Deps;
  /** Held by this process: how each is asked to let go. */
  readonly #held = new Map<string, () => void | Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.events.on('upload', ({ ids }) => {
      for (const id of ids) void this.#held.get(id)?.();
    });
  }

  newLock(id: string): Lock {
    const holder = uuidv7();
    return {
      lock: async (signal, release) => {
        await this.#take(id, holder, signal);
        this.#held.set(id, release);
      },
      unlock: async () => {
        this.#held.delete(id);
        await this.#giveBack(id, holder);
      },
    };
  }

  /** Runs `work` while nobody else works on the upload; it is not asked to end. */
  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    const lock = this.newLock(id);
    await lock.lock(new AbortController().signal, () => {});
    try {
      return await work();
    } finally {
      await lock.unlock();
    }
  }

  /** Retried until the database is back: otherwise the upload stays locked while this process runs. */
  async #giveBack(id: string, holder: string): Promise<void> {
    const { db, log, stopping } = this.#deps;
    try {
      await giveLockBack(db, id, holder);
    } catch (error) {
      log.warn({ err: error, upload: id }, 'upload lock not released yet');
      if (!stopping.aborted) setTimeout(() => void this.#giveBack(id, holder), GIVE_BACK_AGAIN_MS).unref();
    }
  }

  async #tryTake(id: string, holder: string): Promise<boolean> {
    const { db, processId } = this.#deps;
    try {
      return await takeLock(db, { id, holder, process: processId });
    } catch (error) {
      // It may have been taken, and only the answer be lost.
      void this.#giveBack(id, holder);
      throw error;
    }
  }

  async #take(id: string, holder: string, signal: AbortSignal): Promise<void> {
    const { db } = this.#deps;
    const end = performance.now() + GIVE_UP_MS;
    let asked = -Infinity;
    while (!(await this.#tryTake(id, holder))) {
      if (signal.aborted || performance.now() > end) throw ERRORS.ERR_LOCK_TIMEOUT;
      if (performance.now() - asked > ASK_MS) {
        asked = performance.now();
        await publish(db, { topic: 'upload', ids: [id] });
      }
      await sleep(LOOK_MS);
    }
  }
}
