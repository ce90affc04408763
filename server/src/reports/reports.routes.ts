import type { routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import { attachment } from '../platform/http/attachment.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { exportPlays } from './export.service.ts';
import { historyOfPlays, pageOfPlays } from './reports.service.ts';

export const reportsRoutes = (deps: Deps): Handlers<typeof routes.reports> => ({
  plays: ({ viewer, query }) => pageOfPlays(deps.db, viewer, query),
  history: ({ viewer, query }) => historyOfPlays(deps.db, viewer, query),
  export: async ({ viewer, query, request, reply }) => {
    const words = messagesFor(request.headers['accept-language']).reports;
    const { name, type, bytes } = await exportPlays(deps, viewer, query, words);
    void reply.type(type).header('content-disposition', attachment(name)).send(bytes);
  },
});
