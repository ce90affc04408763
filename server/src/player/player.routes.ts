import type { routes } from '@ams/contract';
import { offerApp } from '../apps/apps.service.ts';
import { storeScreenshot } from '../devices/screenshots.service.ts';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { enrol } from './enrol.service.ts';
import type { Manifests } from './manifest.service.ts';
import { storePlays } from './plays.service.ts';
import { takeStatus } from './status.service.ts';

/** The socket is registered beside these (`socket.ts`): it is no request with a reply. */
export const playerRoutes = (deps: Deps, manifests: Manifests): Handlers<Omit<typeof routes.player, 'socket'>> => ({
  enrol: ({ body, request }) => enrol(deps, body, request),

  manifest: async ({ machine, request, reply }) => {
    const holds = /^(?:W\/)?"(.+)"$/.exec(request.headers['if-none-match'] ?? '')?.[1];
    const manifest =
      holds !== undefined && holds === manifests.recall(machine.id)
        ? undefined
        : await manifests.whole(machine.id, holds);
    void reply.header('etag', `"${manifest?.version ?? holds}"`).header('cache-control', 'no-cache');
    if (manifest) return manifest;
    return reply.code(304).send();
  },

  status: async ({ machine, body }) => {
    await takeStatus(deps.db, machine.id, body);
    return null;
  },

  plays: ({ machine, body }) => storePlays(deps.db, machine.id, body.batch, body.plays),

  screenshot: async ({ machine, query, request }) => {
    await storeScreenshot(deps.db, machine.id, query.screen, request.body);
    return null;
  },

  app: ({ query }) => offerApp(deps, query),
});
