import { z } from 'zod';
import { raw, routeTable } from './kernel/route.ts';

/** For the operators of the installation. */
export const service = routeTable({
  health: {
    method: 'GET',
    url: '/health',
    access: 'open',
    summary: 'The process is alive',
    response: z.object({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    url: '/ready',
    access: 'open',
    summary: 'Database and storage answer',
    response: z.object({ database: z.literal('ok'), storage: z.literal('ok') }),
  },
  metrics: {
    method: 'GET',
    url: '/metrics',
    access: 'open',
    summary: 'Prometheus metrics; from loopback only unless `AMS_METRICS=open`',
    errors: ['NOT_FOUND'],
    response: raw('text/plain'),
  },
});
