import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@ams/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../process/deps.ts';
import { sendError } from './errors.ts';
import { refuseMethod } from './methods.ts';
import { readPreloads } from './preloads.ts';
import { securityText } from './security-text.ts';

const YEAR_SECONDS = 31_536_000;
const FILE_NAME_MAX_BYTES = 255;
const PAGE_METHODS = ['GET', 'HEAD'];

/** The path as text, or undefined when its percent signs encode nothing. */
function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

/**
 * Pages have parameters that no file's name can have: long ones, empty ones, stray percent signs. The file
 * server would refuse them, so such an address is that of the app itself, which reads it in the browser.
 */
export function toPages(url: string): string {
  const [pathname = ''] = url.split('?');
  if (/^\/(api|media|player|share|q)(\/|$)/.test(pathname)) return url;
  const text = decoded(pathname);
  const isFile =
    text !== undefined &&
    !/\/\/|\0/.test(text) &&
    text.split('/').every((name) => Buffer.byteLength(name) <= FILE_NAME_MAX_BYTES);
  return isFile ? url : '/';
}

/** Headers that browsers heed with documents alone: with a script or a style they are only a kilobyte more. */
const OF_DOCUMENTS = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/** What a file whose name changes with its content is never asked by again. */
const OF_CHANGES = ['etag', 'last-modified'];

/** A file that the browser keeps for a year says nothing of the request that brought it. */
const OF_REQUESTS = ['x-request-id'];

/** Sends a file as a part of a page: opened by itself it may neither run nor be framed. */
function asPart(reply: FastifyReply): void {
  for (const name of [...OF_DOCUMENTS, ...OF_CHANGES, ...OF_REQUESTS]) void reply.removeHeader(name);
  void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
}

/** A single page with the files that it loads. */
interface Page {
  prefix: string;
  root: string;
  links: ReturnType<typeof readPreloads>;
}

/** The web app at `/` and the player at `/player/`: single pages whose own routes fall back to their index. */
export async function servePages(app: FastifyInstance, config: Config): Promise<void> {
  const pages: Page[] = [
    { prefix: '/player/', root: config.playerRoot },
    { prefix: '/', root: config.webRoot },
  ]
    .filter(({ root }) => existsSync(root))
    .map((page) => ({ ...page, links: readPreloads(page.root) }));
  for (const [index, page] of pages.entries()) await serveFiles(app, page, index === 0);
  app.get('/.well-known/security.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(securityText(config, request, new Date())),
  );
  app.setNotFoundHandler((request, reply) => {
    const [pathname = '/', query] = request.url.split('?');
    // The player's service worker lives below its slash.
    if (pathname === '/player') return reply.redirect(query === undefined ? '/player/' : `/player/?${query}`, 308);
    const page = pages.find(({ prefix }) => pathname.startsWith(prefix));
    if (!page || /^\/(api|media|share|q)(\/|$)/.test(pathname)) return notFound(request, reply);
    if (namesFile(pathname) && !isFile(page, pathname)) return notFound(request, reply);
    if (!PAGE_METHODS.includes(request.method)) return refuseMethod(request, reply, PAGE_METHODS);
    return sendIndex(request, reply, page);
  });
}

const serveFiles = (app: FastifyInstance, page: Page, isFirst: boolean) => {
  const { prefix, root } = page;
  return app.register(fastifyStatic, {
    root,
    prefix,
    decorateReply: isFirst,
    cacheControl: false,
    // The builds bring `.br` and `.gz` files along.
    preCompressed: true,
    setHeaders: (reply, file) => {
      const hashed = path.relative(root, file).startsWith('assets');
      if (hashed && prefix === '/') asPart(reply);
      void reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      if (path.relative(root, file).startsWith('index.html')) withPreloads(reply.request, reply, page);
    },
  });
};

/** Pages without the frame, which is what documents bring along. */
const FRAMELESS = /^\/(login|logout|register)(\/|$)/;

function withPreloads({ url, headers }: FastifyRequest, reply: FastifyReply, { links }: Page): void {
  const [pathname = '/'] = url.split('?');
  if (FRAMELESS.test(pathname)) return;
  const link = links(pathname, headers['accept-language']);
  // Without `vary`, by which service workers would not find the stored document: what it shows is the same for all languages.
  if (link !== '') void reply.header('link', link);
}

const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendError(new AppError('NOT_FOUND'), request, reply);

/** Whether an address is that of a file: pages end in no extension, and none is hidden or among the assets. */
const namesFile = (pathname: string): boolean => /^\/\.|\/assets\/|\.[a-z\d]{1,12}$/i.test(pathname);

/** Whether the build has this file. The router has refused what leads out of the folder. */
const isFile = ({ prefix, root }: Page, pathname: string): boolean =>
  existsSync(path.join(root, path.posix.normalize(`/${pathname.slice(prefix.length)}`)));

function sendIndex(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  withPreloads(request, reply, page);
  return reply.header('cache-control', 'no-cache').sendFile('index.html', page.root);
}
