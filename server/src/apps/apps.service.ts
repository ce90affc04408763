import { type App, AppError, type InstalledApp, type OfferedApp } from '@ams/contract';
import type { z } from 'zod';
import { audit } from '../platform/audit.ts';
import type { Viewer } from '../platform/auth.ts';
import type { Deps } from '../platform/deps.ts';
import { addJob } from '../platform/jobs.ts';
import { type AppChanges, deleteApp, findApp, findNewerApp, lockApp, updateApp } from './apps.queries.ts';

export async function requireApp({ db, signer }: Deps, viewer: Viewer, id: string): Promise<App> {
  const app = await findApp(db, signer, viewer, id);
  if (!app) throw new AppError('NOT_FOUND');
  return app;
}

/** Changes what was given. Throws `NOT_FOUND`. */
export async function changeApp(deps: Deps, viewer: Viewer, id: string, changes: AppChanges): Promise<App> {
  await deps.db.transaction().execute(async (tx) => {
    const app = await lockApp(tx, id);
    if (!app) throw new AppError('NOT_FOUND');
    if (Object.keys(changes).length === 0) return;
    await updateApp(tx, id, changes);
    await audit(tx, viewer, { action: 'apps.patch', targetId: id, target: app.name, details: { ...changes } });
  });
  return requireApp(deps, viewer, id);
}

/** Deletes a version; its bytes go later, by the job that cleans contents. Throws `NOT_FOUND`. */
export async function removeApp(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const app = await lockApp(tx, id);
    if (!app) throw new AppError('NOT_FOUND');
    await deleteApp(tx, id);
    const details = { package: app.package, code: app.code };
    await audit(tx, viewer, { action: 'apps.remove', targetId: id, target: app.name, details });
    await addJob(tx, 'files_clean_blobs', {}, { key: 'files_clean_blobs' });
  });
}

/** What a machine that runs `installed` should install, or null. */
export const offerApp = (
  { db, signer }: Pick<Deps, 'db' | 'signer'>,
  installed: z.output<typeof InstalledApp>,
): Promise<OfferedApp | null> => findNewerApp(db, signer, installed);
