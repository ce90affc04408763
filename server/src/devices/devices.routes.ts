import type { routes } from '@ams/contract';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { filesOn } from '../releases/device-files.service.ts';
import { listDevices } from './devices.queries.ts';
import { addDevice, clearDevice, deleteDevice, getDevice, pairDevice, patchDevice } from './manage.service.ts';
import { askScreenshot, findScreenshot } from './screenshots.service.ts';

export const devicesRoutes = (deps: Deps): Handlers<typeof routes.devices> => ({
  list: ({ viewer, query }) => listDevices(deps.db, viewer, deps.signer, query),
  create: ({ viewer, body }) => addDevice(deps, viewer, body),
  pair: ({ viewer, body }) => pairDevice(deps, viewer, body),
  get: ({ viewer, params }) => getDevice(deps, viewer, params.id),
  patch: ({ viewer, params, body }) => patchDevice(deps, viewer, params.id, body),
  remove: async ({ viewer, params }) => {
    await deleteDevice(deps, viewer, params.id);
    return null;
  },
  askScreenshot: async ({ viewer, params }) => {
    await askScreenshot(deps, viewer, params.id);
    return null;
  },
  screenshot: async ({ viewer, params, query, reply }) => {
    const { picture, takenAt } = await findScreenshot(deps.db, viewer, params.id, query.screen);
    // The picture of a moment, for those in scope alone: nothing between here and their screen keeps it.
    await reply.headers({ 'cache-control': 'private, no-store', 'taken-at': takenAt }).type('image/jpeg').send(picture);
  },
  files: async ({ viewer, params }) => {
    const device = await getDevice(deps, viewer, params.id);
    return { items: await filesOn(deps.db, deps.signer, device), next: null };
  },
  clear: async ({ viewer, params }) => {
    await clearDevice(deps, viewer, params.id);
    return null;
  },
});
