import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { findExisting } from './work.queries.ts';

/** The file was deleted: nobody needs what is being made of it. */
class Unwanted extends Error {
  override name = 'Unwanted';
}

/** Files in work at this process; work stops when a file is deleted at any process. */
export class WantedWork {
  readonly #db: Db;
  readonly #log: Deps['log'];
  /** A file's next step may begin at this process before the one before has returned. */
  readonly #running = new Map<string, Set<AbortController>>();

  constructor({ db, events, log }: Pick<Deps, 'db' | 'events' | 'log'>) {
    this.#db = db;
    this.#log = log;
    events.on('changed', ({ kind, ids }) => {
      if (kind === 'file') this.#check(ids.filter((id) => this.#running.has(id)));
    });
    events.onGap(() => this.#check([...this.#running.keys()]));
  }

  /** Runs `work` on a file; its signal aborts when the file is gone, and that is no fault. */
  async during(fileId: string, stopping: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const unwanted = new AbortController();
    const steps = this.#running.get(fileId) ?? new Set();
    this.#running.set(fileId, steps.add(unwanted));
    try {
      await work(AbortSignal.any([stopping, unwanted.signal]));
    } catch (error) {
      if (!unwanted.signal.aborted) throw error;
    } finally {
      steps.delete(unwanted);
      if (steps.size === 0) this.#running.delete(fileId);
    }
  }

  #check(ids: string[]): void {
    if (ids.length === 0) return;
    this.#endDeleted(ids).catch((error: unknown) => this.#log.warn({ err: error }, 'could not look up deleted files'));
  }

  async #endDeleted(ids: string[]): Promise<void> {
    const existing = await findExisting(this.#db, ids);
    for (const id of ids) {
      if (!existing.has(id)) this.#running.get(id)?.forEach((step) => step.abort(new Unwanted()));
    }
  }
}
