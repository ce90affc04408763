import { AppError, type Release } from '@ams/contract';
import { tellDevices } from '../devices/devices.service.ts';
import { queueUnchecked } from '../media/checks.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, findActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import {
  countChosen,
  createRelease,
  type Frozen,
  getRelease,
  type Order,
  type StoredAd,
} from '../releases/releases.service.ts';
import { countOutdated, renewReleases } from '../releases/renew.service.ts';
import {
  decideRequest,
  getRequest,
  type HeldRequest,
  holdWaiting,
  insertRequest,
  lockForRelease,
} from '../releases/requests.service.ts';
import { holdOwnerOfGroup } from '../releases/standing.service.ts';
import { holdAd } from './ads.queries.ts';
import { contentHash, frozenAd, isContent } from './freeze.ts';

interface Content {
  ad: StoredAd;
  frozen: Frozen;
}

const checkSoon = (deps: Deps, trx: Db, { files }: Frozen): Promise<void> =>
  queueUnchecked(
    { ...deps, db: trx },
    files.map(({ id }) => id),
  );

/** Requests the release of a frozen ad: nothing is released until somebody above approves it. */
export async function requestRelease(
  deps: Deps,
  trx: Db,
  actor: Viewer & Actor,
  { ad, frozen }: Content,
  { devices, standing, screen, replace, priority, schedule, stages, goOnAt, stopAbove }: Order,
): Promise<Release> {
  const order: Order = { devices, standing, screen, replace, priority, schedule, stages, goOnAt, stopAbove };
  const count = await countChosen(trx, actor, ad, order);
  await checkSoon(deps, trx, frozen);
  return insertRequest(trx, actor, { ad, hash: contentHash(frozen), order, devices: count });
}

/** Requests that the devices with an earlier version of an ad get this one; undefined when there are none. */
export async function requestUpdate(
  deps: Deps,
  trx: Db,
  actor: Viewer & Actor,
  { ad, frozen }: Content,
): Promise<Release | undefined> {
  const count = await countOutdated(trx, actor, ad);
  if (count === 0) return undefined;
  await checkSoon(deps, trx, frozen);
  return insertRequest(trx, actor, { ad, hash: contentHash(frozen), order: null, devices: count });
}

/** Errors of a release that its devices cause: they are no longer those that were requested. */
const isOfTarget = (error: unknown): boolean =>
  error instanceof AppError && ['NOT_FOUND', 'NO_DEVICES', 'STANDING_FILTER'].includes(error.error);

const isOfContent = (error: unknown): boolean =>
  error instanceof AppError && ['NOT_FOUND', 'EMPTY_AD', 'FILE_NOT_READY'].includes(error.error);

/** The ad exactly as it was requested. Throws `CHANGED_MEANWHILE`. */
async function asRequested(deps: Deps, trx: Db, actor: Viewer, request: HeldRequest): Promise<Content> {
  const content = await frozenAd(deps, trx, actor, request.adId, request.version).catch((error: unknown) => {
    throw isOfContent(error) ? new AppError('CHANGED_MEANWHILE') : error;
  });
  if (!isContent(content.frozen, request.hash)) throw new AppError('CHANGED_MEANWHILE');
  return content;
}

/** Releases in the name of the requester, to devices in the requester's scope. Returns the number of devices. */
async function release(trx: Db, requester: Actor, { ad, frozen }: Content, request: HeldRequest): Promise<number> {
  if (request.order === null) return (await renewReleases(trx, requester, ad, frozen)).devices;
  const { total, touched } = await createRelease(trx, requester, ad, frozen, request.order, { id: request.id }).catch(
    (error: unknown) => {
      throw isOfTarget(error) ? new AppError('NOT_APPROVABLE', { reason: 'target' }) : error;
    },
  );
  await tellDevices(trx, touched);
  return total;
}

/**
 * Approves a release as it was requested: it begins now. Nobody approves what they requested.
 * @throws `NOT_FOUND`, `NOT_APPROVABLE`, `CHANGED_MEANWHILE` (the ad, or somebody else has decided)
 */
export const approveRelease = (deps: Deps, viewer: Viewer, id: string): Promise<Release> =>
  actingAs(deps.db, viewer, { role: 'leading' }, async (trx, actor) => {
    const { requestedBy, order, adId } = await getRequest(trx, actor, id, 'read');
    // People are held before ads, ads before standing releases, and those before requests and devices.
    const requester = requestedBy === null ? undefined : await findActor(trx, requestedBy);
    if (order) await holdOwnerOfGroup(trx, order.devices);
    await holdAd(trx, adId);
    await lockForRelease(trx, order);
    const request = await holdWaiting(trx, actor, id);
    if (!requester) throw new AppError('NOT_APPROVABLE', { reason: 'requester' });
    const content = await asRequested(deps, trx, actor, request);
    const devices = await release(trx, requester, content, request);
    await decideRequest(trx, actor, request, 'approved');
    await audit(trx, actor, {
      ...{ action: 'releases.approve', targetId: id, target: request.name, scopeId: request.ownerId },
      details: { devices },
    });
    return getRelease(trx, actor, id);
  });
