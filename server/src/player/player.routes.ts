import type { routes } from '@ams/contract';
import { offerApp } from '../apps/apps.service.ts';
import { storeScreenshot } from '../devices/screenshots.service.ts';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { enrol } from './enrol.service.ts';
import { makeManifest } from './manifest.service.ts';
import { storePlays } from './plays.service.ts';
import { takeStatus } from './status.service.ts';

/** The socket is registered beside these (`socket.ts`): it is no request with a reply. */
export const playerRoutes = (deps: Deps): Handlers<Omit<typeof routes.player, 'socket'>> => ({
  enrol: ({ body, request }) => enrol(deps, body, request),

  manifest: async ({ machine, request, reply }) => {
    const manifest = await makeManifest(deps, machine.id);
    const etag = `"${manifest.version}"`;
    void reply.header('etag', etag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === etag) await reply.code(304).send();
    return manifest;
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
