import type { AdQr, routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { webAddress } from '../platform/http/web-address.ts';
import type { ReleaseLinks } from '../releases/releases.service.ts';
import { listAdDevices } from '../releases/ad-devices.service.ts';
import { listAds } from './ads.queries.ts';
import { approveRelease } from './approval.service.ts';
import { getChecks } from './checks.service.ts';
import { changeDefaultContent, getDefaultContent } from './default-content.service.ts';
import { copyAd, createAd, deleteAd, getAd, getStoredAd, releaseAd, updateAd, updateDevices } from './ads.service.ts';

/** A code that leads to this installation could lead back to itself. Throws `INVALID`. */
function refuseOwnAddress(qr: AdQr | null, own: string): void {
  if (qr && new URL(qr.url).hostname === new URL(own).hostname) throw invalidField('qr.url', 'qr.own');
}

export const adsRoutes = (deps: Deps, links: ReleaseLinks): Handlers<typeof routes.ads> => ({
  list: ({ viewer, query }) => listAds(deps.db, viewer, deps.signer, query),
  create: ({ viewer, body, request }) => {
    refuseOwnAddress(body.qr, webAddress(deps.config, request));
    return createAd(deps, viewer, body);
  },
  get: ({ viewer, params }) => getAd(deps, viewer, params.id),
  update: ({ viewer, params, body, request }) => {
    refuseOwnAddress(body.qr, webAddress(deps.config, request));
    return updateAd(deps, viewer, params.id, body);
  },
  delete: async ({ viewer, params }) => {
    await deleteAd(deps, links, viewer, params.id);
    return null;
  },
  approve: ({ viewer, params }) => approveRelease(deps, viewer, params.id),
  checks: ({ viewer, params }) => getChecks(deps, viewer, params.id),
  copy: ({ viewer, params, body }) => copyAd(deps, viewer, params.id, body.name),
  listDevices: async ({ viewer, params, query }) => {
    await getStoredAd(deps, viewer, params.id);
    return listAdDevices(deps.db, viewer, params.id, query);
  },
  updateDevices: ({ viewer, params, body }) => updateDevices(deps, viewer, params.id, body.updatedAt),
  release: ({ viewer, params, body }) => releaseAd(deps, viewer, params.id, body),
  getDefaultContent: ({ viewer, params }) => getDefaultContent(deps, viewer, params.id),
  changeDefaultContent: ({ viewer, params, body }) => changeDefaultContent(deps, viewer, params.id, body),
});
