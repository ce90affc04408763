import type { FastifyBaseLogger } from 'fastify';

const APART_MAX_MS = 60_000;
const SAY_EACH_MS = 3_600_000;

/**
 * Compares the clock of this process, which devices follow, with that of the database, by which plays are judged: plays
 * that are later than the database's time by ten minutes do not count.
 */
export class ClockWatch {
  readonly #log: Pick<FastifyBaseLogger, 'error'>;
  #saidAt = -Infinity;

  constructor(log: Pick<FastifyBaseLogger, 'error'>) {
    this.#log = log;
  }

  /** Takes the time that the database has just answered, in milliseconds since 1970. */
  note(databaseMs: number): void {
    const aheadMs = Date.now() - databaseMs;
    if (Math.abs(aheadMs) <= APART_MAX_MS || performance.now() - this.#saidAt < SAY_EACH_MS) return;
    this.#saidAt = performance.now();
    const aheadSeconds = Math.round(aheadMs / 1000);
    this.#log.error(
      { aheadSeconds },
      'the clock of this server and that of the database differ; set both from the network',
    );
  }
}
