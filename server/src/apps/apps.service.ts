import { type App, AppError, type InstalledApp, type OfferedApp } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { cleanContentsSoon } from '../blobs/blobs.service.ts';
import { audit } from '../platform/auth/audit.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import * as queries from './apps.queries.ts';
import {
  type AppChanges,
  findApp,
  findNewerApp,
  findPin,
  handOver,
  hasPublished,
  lockApp,
  lockPackage,
} from './apps.queries.ts';
import type { AppLinks } from './links.ts';
import { offerTo, signOffer, type UnsignedOffer } from './offers.sql.ts';

export { signOffer, type UnsignedOffer };

type TellDevices = Pick<AppLinks, 'tellDevices'>;

export async function requireApp({ db, signer }: Deps, viewer: Viewer, id: string): Promise<App> {
  const app = await findApp(db, signer, viewer, id);
  if (!app) throw new AppError('NOT_FOUND');
  return app;
}

/**
 * Refuses to publish a version that devices could not install: a publisher has versions of its own signers, and of deleted
 * publishers below it. Throws `OTHER_SIGNER`.
 */
async function requireSigner(tx: Db, app: Awaited<ReturnType<typeof lockApp>> & object): Promise<void> {
  const { uploaded_by: publisher, package: name, code, signer, predecessors } = app;
  // Without a known signer it is offered to nobody, nor is a version that is not newer.
  if (publisher === null || !signer) return;
  await lockPackage(tx, name);
  const pin = await findPin(tx, publisher, app);
  if (!pin?.signer || pin.code >= code || pin.signer === signer || predecessors.includes(pin.signer)) return;
  throw new AppError('OTHER_SIGNER', { package: name, signer: pin.signer, given: signer });
}

/** Changes what was given. Throws `NOT_FOUND`, `OTHER_SIGNER`. */
export async function updateApp(
  deps: Deps,
  links: TellDevices,
  viewer: Viewer,
  id: string,
  changes: AppChanges,
): Promise<App> {
  await actingAs(deps.db, viewer, { role: 'leading' }, async (tx, actor) => {
    const app = await lockApp(tx, actor, id);
    if (!app) throw new AppError('NOT_FOUND');
    if (Object.keys(changes).length === 0) return;
    if (changes.published && !app.published) await requireSigner(tx, app);
    await queries.updateApp(tx, id, changes);
    if (app.published || changes.published) await tellScope(links, tx, app.uploaded_by);
    await audit(tx, viewer, { action: 'apps.patch', targetId: id, target: app.name, details: { ...changes } });
  });
  return requireApp(deps, viewer, id);
}

/** Deletes a version; its bytes go later, by the job that cleans contents. Throws `NOT_FOUND`. */
export async function deleteApp(deps: Deps, links: TellDevices, viewer: Viewer, id: string): Promise<void> {
  await actingAs(deps.db, viewer, { role: 'leading' }, async (tx, actor) => {
    const app = await lockApp(tx, actor, id);
    if (!app) throw new AppError('NOT_FOUND');
    await queries.deleteApp(tx, id);
    if (app.published) await tellScope(links, tx, app.uploaded_by);
    const details = { package: app.package, code: app.code };
    await audit(tx, viewer, { action: 'apps.remove', targetId: id, target: app.name, details });
    await cleanContentsSoon(tx);
  });
}

/** Makes the devices in a publisher's scope look for a newer version; connected ones are notified at once. */
const tellScope = (links: TellDevices, tx: Db, publisher: string | null): Promise<void> =>
  links.tellDevices(tx, sql`select s.user_id from user_scopes s where s.ancestor_id = ${publisher}`);

/** After a publisher was disabled, enabled, promoted or demoted. */
export async function publisherChanged(links: TellDevices, tx: Db, publisher: string): Promise<void> {
  if (await hasPublished(tx, publisher)) await tellScope(links, tx, publisher);
}

/** Before a publisher is deleted: its versions go to `heir`, unpublished. */
export async function handOverApps(links: TellDevices, tx: Db, publisher: string, heir: string): Promise<void> {
  await publisherChanged(links, tx, publisher);
  await handOver(tx, publisher, heir);
}

/** The app version to install on a device with `installed`, or null. Stores `installed` for the next manifest. */
export async function offerApp(
  { db, signer }: Pick<Deps, 'db' | 'signer'>,
  links: Pick<AppLinks, 'noteInstalledApp'>,
  deviceId: string,
  installed: InstalledApp,
): Promise<OfferedApp | null> {
  const owner = await links.noteInstalledApp(db, deviceId, installed);
  return findNewerApp(db, signer, owner, installed);
}

/** The offer to a device of the alias `d`, for its manifest. Players before 0.2 refuse a manifest that has one. */
export const offerOfManifest = (): RawBuilder<UnsignedOffer | null> => sql`(
  select ${offerTo(sql`i.owner_id`, sql`i.app_package`, sql`i.app_code`)} from devices i
  where i.id = d.id and i.player_version is distinct from '0.1.0')`;
