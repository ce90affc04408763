import { Readable } from 'node:stream';
import { acceptLanguage, AppError, type routes } from '@ams/contract';
import { attachment } from '../platform/http/attachment.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { SHARED_PAGE_HEADERS } from '../platform/http/shared-page.ts';
import { webAddress } from '../platform/http/web-address.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidLinkPage } from './invalid-link.ts';
import type { SharedPages } from './links.ts';
import { createShare, listShares, openPicture, openProof, openShare, revokeShare } from './shares.service.ts';
import { readVerifyPage } from './verify-page.ts';

/** A new picture has a new address: each is kept for as long as a wall shows it. */
const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'private, max-age=3600',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
};

const PROOF_HEADERS = { 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff' };

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
      .headers(page?.headers ?? SHARED_PAGE_HEADERS)
      .send(page?.html ?? invalidLinkPage(reader));
  },
  proof: async ({ params, reply }) => {
    const { name, pieces } = await openProof(db, pages, params.token);
    void reply
      .type('application/json')
      .headers(PROOF_HEADERS)
      .header('content-disposition', attachment(`${name}.proof.json`))
      .send(Readable.from(pieces));
  },
  verify: async ({ reply }) => {
    const page = await readVerifyPage(config.webRoot);
    if (!page) throw new AppError('NOT_FOUND');
    void reply.headers(page.headers).send(page.html);
  },
  picture: async ({ params, reply }) => {
    const picture = await openPicture(db, pages, params.token, params.name);
    if (!picture) throw new AppError('NOT_FOUND');
    void reply.headers(PICTURE_HEADERS).send(picture);
  },
});
