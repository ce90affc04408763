import { acceptLanguage, type routes } from '@ams/contract';
import { messagesFor } from '../platform/http/messages.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { SHARED_PAGE_HEADERS } from '../platform/http/shared-page.ts';
import { webAddress } from '../platform/http/web-address.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidLinkPage } from './invalid-link.ts';
import type { SharedPages } from './links.ts';
import { createShare, listShares, openShare, revokeShare } from './shares.service.ts';

export const sharesRoutes = ({ db, config }: Deps, pages: SharedPages): Handlers<typeof routes.shares> => ({
  list: ({ viewer, query }) => listShares(db, viewer, query),
  create: ({ viewer, body, request }) => createShare(db, pages, viewer, body, webAddress(config, request)),
  revoke: async ({ viewer, params }) => {
    await revokeShare(db, viewer, params.id);
    return null;
  },
  open: async ({ params, request, reply }) => {
    const header = request.headers['accept-language'];
    const reader = { language: acceptLanguage(header), words: messagesFor(header) };
    const page = await openShare(db, pages, params.token, reader);
    void reply
      .code(page === undefined ? 404 : 200)
      .headers(SHARED_PAGE_HEADERS)
      .send(page ?? invalidLinkPage(reader));
  },
});
