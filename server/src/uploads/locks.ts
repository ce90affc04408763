import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@ams/contract';
import { v7 as uuidv7 } from 'uuid';
import { publish } from '../platform/events/events.ts';
import type { Deps } from '../platform/process/deps.ts';
import { giveLockBack, takeLock } from './uploads.queries.ts';

const GIVE_UP_MS = 30_000;
const LOOK_MS = 50;
/** Interval of requests to the holder to release; a message may have been lost. */
const ASK_MS = 1000;
const GIVE_BACK_AGAIN_MS = 1000;

/**
 * At most one request works on an upload, whichever server process it came to. A later request asks the earlier one to
 * end: it is mostly the same client, whose old connection hangs
 * (https://tus.io/protocols/resumable-upload, "Locks").
 */
export class UploadLocks {
  readonly #deps: Deps;
  /** Locks held by this process, each with its request to release. */
  readonly #held = new Map<string, () => void>();

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.events.on('upload', ({ ids }) => {
      for (const id of ids) this.#held.get(id)?.();
    });
  }

  /**
   * Takes the lock of an upload until it is disposed of. Throws `UNAVAILABLE` after 30 seconds.
   * @param onAsked called when another request waits for the lock
   */
  async take(id: string, onAsked: () => void = () => undefined): Promise<AsyncDisposable> {
    const holder = uuidv7();
    await this.#wait(id, holder);
    this.#held.set(id, onAsked);
    return {
      [Symbol.asyncDispose]: async () => {
        this.#held.delete(id);
        await this.#giveBack(id, holder);
      },
    };
  }

  /** If the database is away, that is repeated until it is back: otherwise the upload stays locked with this process. */
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

  async #wait(id: string, holder: string): Promise<void> {
    const { db } = this.#deps;
    const end = performance.now() + GIVE_UP_MS;
    let asked = -Infinity;
    while (!(await this.#tryTake(id, holder))) {
      if (performance.now() > end) throw new AppError('UNAVAILABLE');
      if (performance.now() - asked > ASK_MS) {
        asked = performance.now();
        await publish(db, { topic: 'upload', ids: [id] });
      }
      await sleep(LOOK_MS);
    }
  }
}
