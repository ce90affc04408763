import type { routes } from '@ams/contract';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { homeSummary } from './home.queries.ts';
import { streamLive } from './live.ts';

export const homeRoutes = (deps: Deps): Handlers<typeof routes.home> => ({
  summary: ({ viewer }) => homeSummary(deps.db, viewer),
  live: async ({ viewer, request, reply }) => streamLive(deps, viewer, request, reply),
});
