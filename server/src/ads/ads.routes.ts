import type { routes } from '@ams/contract';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { releaseAd } from '../releases/releases.service.ts';
import { listAds } from './ads.queries.ts';
import { createAd, deleteAd, getAd, replaceAd } from './ads.service.ts';
import { freeze } from './freeze.ts';

export const adsRoutes = (deps: Deps): Handlers<typeof routes.ads> => ({
  list: ({ viewer, query }) => listAds(deps.db, viewer, deps.signer, query),
  create: ({ viewer, body }) => createAd(deps, viewer, body),
  get: ({ viewer, params }) => getAd(deps, viewer, params.id),
  replace: ({ viewer, params, body }) => replaceAd(deps, viewer, params.id, body),
  remove: async ({ viewer, params }) => {
    await deleteAd(deps, viewer, params.id);
    return null;
  },
  release: async ({ viewer, params, body }) => {
    const ad = await getAd(deps, viewer, params.id);
    return releaseAd(deps.db, viewer, ad, await freeze(deps.db, viewer, ad), body);
  },
});
