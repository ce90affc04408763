import { AppError, type routes } from '@ams/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Deps } from '../process/deps.ts';
import type { Handlers } from './mount.ts';

/** Requests wait for an unreachable database; a readiness probe needs an immediate answer. */
const READY_WITHIN_MS = 2000;
const tooLong = (): Promise<never> =>
  sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error('the database or the storage does not answer in time');
  });

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

export const serviceRoutes = (deps: Deps): Handlers<typeof routes.service> => ({
  health: async () => ({ status: 'ok' }),

  ready: async () => {
    if (deps.stopping.aborted) throw new AppError('UNAVAILABLE');
    if (deps.diskSpace.isFull) throw new AppError('UNAVAILABLE', { reason: 'STORAGE_FULL' });
    try {
      await Promise.race([Promise.all([sql`select 1`.execute(deps.db), deps.blobs.check()]), tooLong()]);
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready');
      throw new AppError('UNAVAILABLE');
    }
    return { database: 'ok', storage: 'ok' };
  },

  metrics: async ({ request, reply }) => {
    if (!deps.config.metricsOpen && !LOOPBACK.test(request.ip)) throw new AppError('NOT_FOUND');
    void reply.type(deps.metrics.contentType).send(await deps.metrics.read());
  },
});
