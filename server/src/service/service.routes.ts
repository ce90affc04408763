import { AppError, type routes } from '@ams/contract';
import { sql } from 'kysely';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

export const serviceRoutes = (deps: Deps): Handlers<typeof routes.service> => ({
  health: async () => ({ status: 'ok' }),

  ready: async () => {
    if (deps.stopping.aborted) throw new AppError('UNAVAILABLE');
    try {
      await Promise.all([sql`select 1`.execute(deps.db), deps.blobs.check()]);
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
