import { filterOfQuery, type routes, utcDate } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { UPLOADED_POLICY } from '../platform/http/uploaded-policy.ts';
import { listAreas, listDevices, listTags } from './devices.queries.ts';
import { listWaiting } from './enrolment.service.ts';
import { presenceHistory } from './history.ts';
import type { DeviceLinks } from './links.ts';
import { createDevice, clearDevice, deleteDevice, getDevice, updateDevice } from './manage.service.ts';
import { pairDevice, previewPairing } from './pairing.service.ts';
import { requestScreenshot, getScreenshot } from './screenshots.service.ts';
import { exportDevices, importTemplate } from './export.service.ts';
import { importDevices } from './import.service.ts';

const sendXls = (reply: FastifyReply, name: string, xls: Buffer): void => {
  void reply
    .type('application/vnd.ms-excel')
    .header('content-disposition', `attachment; filename="${name}.xls"`)
    .send(xls);
};

const exportName = (): string => `device MAC export ${utcDate(Date.now())}`;

const languageOf = (request: FastifyRequest): string | undefined => request.headers['accept-language'];

export function devicesRoutes(app: Deps, links: DeviceLinks): Handlers<typeof routes.devices> {
  const deps = { ...app, links };
  return {
    list: ({ viewer, query }) => listDevices(deps.db, viewer, deps.signer, query),
    create: ({ viewer, body }) => createDevice(deps, viewer, body),
    pair: ({ viewer, body, request }) => pairDevice(deps, viewer, body, request.ip),
    previewPair: ({ viewer, body, request }) => previewPairing(deps, viewer, body, request.ip),
    export: async ({ viewer, query, request, reply }) =>
      sendXls(
        reply,
        exportName(),
        await exportDevices(deps, viewer, { filter: filterOfQuery(query) }, languageOf(request)),
      ),
    exportChosen: async ({ viewer, body, request, reply }) =>
      sendXls(reply, exportName(), await exportDevices(deps, viewer, body, languageOf(request))),
    template: async ({ request, reply }) =>
      sendXls(reply, 'batch import template', await importTemplate(deps, languageOf(request))),
    import: ({ viewer, file, request }) => importDevices(deps, viewer, file, languageOf(request)),
    waiting: async ({ request }) => ({ items: await listWaiting(deps.db, request.ip) }),
    tags: async ({ viewer, query }) => ({ items: await listTags(deps.db, viewer, query.q ?? '') }),
    areas: async ({ viewer, query }) => ({ items: await listAreas(deps.db, viewer, query.q ?? '') }),
    get: ({ viewer, params }) => getDevice(deps, viewer, params.id),
    update: ({ viewer, params, body }) => updateDevice(deps, viewer, params.id, body),
    delete: async ({ viewer, params }) => {
      await deleteDevice(deps, viewer, params.id);
      return null;
    },
    history: ({ viewer, params }) => presenceHistory(deps.db, viewer, params.id),
    requestScreenshot: async ({ viewer, params }) => {
      await requestScreenshot(deps, viewer, params.id);
      return null;
    },
    getScreenshot: async ({ viewer, params, query, reply }) => {
      const { picture, takenAt } = await getScreenshot(deps.db, viewer, params.id, query.screen);
      // The picture of a moment, for those in scope alone: nothing between here and their screen keeps it.
      const headers = { 'cache-control': 'private, no-store', 'content-security-policy': UPLOADED_POLICY };
      await reply
        .headers({ ...headers, 'taken-at': takenAt })
        .type('image/jpeg')
        .send(picture);
    },
    listFiles: async ({ viewer, params }) => {
      const device = await getDevice(deps, viewer, params.id);
      return { items: await links.filesOn(deps.db, device), next: null };
    },
    clear: async ({ viewer, params }) => {
      await clearDevice(deps, viewer, params.id);
      return null;
    },
  };
}
