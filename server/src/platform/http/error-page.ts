import { acceptLanguage, type Failure, isRaw, type Route } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { markup } from './html.ts';
import { messagesFor } from './messages.ts';
import { SHARED_PAGE_HEADERS, sharedPage } from './shared-page.ts';

/** Whether a call answers with a page for people: its errors are pages, too. */
export const answersPage = (route: Route | undefined): boolean =>
  route !== undefined && isRaw(route.response) && route.response.raw.includes('text/html');

/** An error as a page in the reader's language. */
export function sendErrorPage({ code, message }: Failure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const header = request.headers['accept-language'];
  const page = sharedPage({
    language: acceptLanguage(header),
    title: message,
    body: markup`<h1>${message}</h1>`,
    brand: messagesFor(header).shares.brand,
    foot: [],
  });
  return reply.code(code).headers(SHARED_PAGE_HEADERS).send(page);
}
