import type { routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { homeSummary } from './home.queries.ts';
import type { HomeLinks } from './links.ts';
import { RecentChanges, streamLive } from './live.ts';

export function homeRoutes(deps: Deps, links: HomeLinks): Handlers<typeof routes.home> {
  const recent = new RecentChanges(deps.events);
  return {
    summary: async ({ viewer }) => ({
      ...(await homeSummary(deps.db, links, viewer)),
      storageFull: viewer.role === 'leading' && deps.diskSpace.isFull,
    }),
    live: async ({ viewer, request, reply }) => streamLive(deps, recent, viewer, request, reply),
  };
}
