import { AppError, type routes } from '@ams/contract';
import type { Presence } from '../devices/presence.service.ts';
import { storeScreenshot } from '../devices/screenshots.service.ts';
import type { Deps } from '../platform/process/deps.ts';
import { noneMatchNames } from '../platform/http/entity-tags.ts';
import type { Handlers } from '../platform/http/mount.ts';
import type { LimitFunction } from 'p-limit';
import { enrol } from './enrol.service.ts';
import type { PlayerLinks } from './links.ts';
import type { Manifests } from './manifest.service.ts';
import { storePlays } from './plays.service.ts';
import { takeStatus } from './status.service.ts';

interface Reports {
  limitReports: LimitFunction;
  presence: Pick<Presence, 'forgetWords'>;
}

/**
 * The socket is registered beside these (`socket.ts`), because it is no request with a reply.
 * @param reports limits the reports that are stored at once, because each takes a database connection
 */
export function playerRoutes(
  deps: Deps,
  manifests: Manifests,
  { limitReports, presence }: Reports,
  links: PlayerLinks,
): Handlers<Omit<typeof routes.player, 'socket'>> {
  /** Reports that are still waiting when the process stops are sent elsewhere, and repeated until accepted. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    limitReports(async () => {
      if (deps.stopping.aborted) throw new AppError('UNAVAILABLE');
      return work();
    });

  return {
    enrol: ({ body, request }) => enrol(deps, links, body, request),

    manifest: async ({ device, request, reply }) => {
      const held = request.headers['if-none-match'];
      const { version, manifest } = await manifests.whole(device.id, (tag) => noneMatchNames(held, tag));
      void reply.header('etag', `"${version}"`).header('cache-control', 'no-cache');
      return manifest ?? reply.code(304).send();
    },

    status: async ({ device, body }) => {
      await inTurn(() => takeStatus(deps.db, links, device, body));
      // Its last report over the WebSocket is news again.
      presence.forgetWords([device.id]);
      return null;
    },

    plays: ({ device, body }) => inTurn(() => storePlays(deps.db, links, device.id, body)),

    screenshot: async ({ device, query, request }) => {
      await storeScreenshot(deps, device, query.screen, request.body);
      return null;
    },

    app: ({ device, query }) => links.offerApp(deps, device.id, query),
  };
}
