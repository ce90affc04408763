import { acceptLanguage, type routes } from '@ams/contract';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { confirmAddress, getAlerts, resendCode, updateAlerts, testAlerts } from './alerts.service.ts';

const languageOf = (request: FastifyRequest) => acceptLanguage(request.headers['accept-language']);

export const alertsRoutes = (deps: Deps): Handlers<typeof routes.alerts> => ({
  get: ({ viewer, request }) => getAlerts(deps, viewer.id, languageOf(request)),
  update: ({ viewer, request, body }) => updateAlerts(deps, viewer, languageOf(request), body),
  confirm: ({ viewer, request, body }) => confirmAddress(deps, viewer, languageOf(request), body.code),
  resendCode: ({ viewer, request }) => resendCode(deps, viewer, languageOf(request)),
  test: ({ viewer, request }) => testAlerts(deps, viewer.id, languageOf(request)),
});
