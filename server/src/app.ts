import { randomUUID } from 'node:crypto';
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import websocket from '@fastify/websocket';
import { AppError, routes, SOCKET_PROTOCOL, STATUS_MAX_BYTES } from '@ams/contract';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import type { Config, Deps } from './platform/process/deps.ts';
import { impatience, limitCrowds } from './platform/limits/connection-limit.ts';
import { refuseUnreadable, sendError } from './platform/http/errors.ts';
import { DOCS_POLICY, docsPage } from './platform/http/docs-page.ts';
import { openApi, type OwnPaths } from './platform/http/openapi/document.ts';
import { completeMethods, ignoreRangeOfHead } from './platform/http/methods.ts';
import { servePages, toPages } from './platform/http/pages.ts';
import { nameScheme } from './platform/http/scheme.ts';
import { serializerCompiler } from './platform/http/serialize.ts';
import { webAddress } from './platform/http/web-address.ts';
import { rateLimitStore } from './platform/limits/rate-limit.ts';
import { cutSlowSenders } from './platform/limits/slow-clients.ts';

/** An address may come with the server before it, as to a proxy, which every server has to accept (RFC 9112 §3.2.2). */
const withoutServer = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');

/** `/api/media/…` and the like mean the same as `/media/…`: the API document has all addresses below `/api`. */
const withoutPrefix = (url: string): string =>
  url.replace(/^\/api(?=\/(media|health|ready|metrics|share|q)(\/|\?|$))/, '');

/** Only devices continue in another protocol; other offers, such as `h2c` of many clients, are ignored (RFC 9110 §7.8). */
const isSocket = ({ headers, url }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && withoutServer(url ?? '').startsWith(routes.player.socket.url);

/**
 * A process that stops lets a proxy use up the connections that it kept, or close them (`keepalive_timeout`): each is
 * closed with its next answer.
 */
const LAST_ANSWERS_MS = 1500;

/** The one protocol that is spoken; the second one offered is the device's token. */
const chooseProtocol = (offered: Set<string>): string | false =>
  offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false;

/** What the features add to the application. */
export interface Calls {
  /** Adds the calls of the API. */
  mount(app: FastifyInstance): Promise<void>;
  /** Describes the calls that are not in the contract's routes. */
  otherPaths: OwnPaths;
}

/** The HTTP application of one server process, ready to listen. */
export async function buildApp(deps: Deps, logger: FastifyBaseLogger, calls: Calls): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    http: { ...impatience, shouldUpgradeCallback: isSocket },
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => toPages(withoutPrefix(withoutServer(request.url ?? '/'))),
    routerOptions: { ignoreTrailingSlash: true },
    // A process that stops finishes what was begun: nobody's request fails for it.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An address that cannot be read, or one with a parameter longer than any of ours, leads to nothing.
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error, request, reply) => void sendError(new AppError('NOT_FOUND'), request, reply),
    trustProxy: deps.config.trustedProxies.length > 0 && deps.config.trustedProxies,
  });
  app.decorateRequest('caller', null);
  cutSlowSenders(app);
  limitCrowds(app);
  deps.metrics.timeRequests(app);
  ignoreRangeOfHead(app);
  nameScheme(app);
  const answerOtherMethods = completeMethods(app);
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (deps.stopping.aborted) void reply.header('connection', 'close');
    done(null, payload);
  });
  // Forms of other sites can send plain text, and nothing here is.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendError);
  secure(app, deps);
  await app.register(rateLimit, {
    global: false,
    store: rateLimitStore(deps.db),
    errorResponseBuilder: (_request, { ttl }) => new AppError('TOO_MANY', { seconds: Math.ceil(ttl / 1000) }),
  });
  await app.register(websocket, {
    // A device that breaks the protocol is disconnected; this is not a server error.
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'WebSocket broken');
      socket.terminate();
    },
    // Connections are handed over one by one (player/socket.ts).
    preClose: (done) => done(),
    options: { maxPayload: STATUS_MAX_BYTES, handleProtocols: chooseProtocol },
  });
  document(app, deps.config, calls.otherPaths);
  await calls.mount(app);
  await servePages(app, deps.config);
  answerOtherMethods();
  if (deps.config.trustedProxies.length > 0) app.addHook('preClose', () => sleep(LAST_ANSWERS_MS));
  return app;
}

/** Permissions policy: pages may use the camera (codes) and wake lock (devices), embedded content may not. */
const PERMITTED = ['autoplay', 'camera', 'clipboard-write', 'fullscreen', 'screen-wake-lock', 'window-management'];
const FORBIDDEN = [
  'accelerometer',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const PERMISSIONS_POLICY = [
  ...PERMITTED.map((name) => `${name}=(self)`),
  ...FORBIDDEN.map((name) => `${name}=()`),
].join(', ');

const YEAR_SECONDS = 31_536_000;

/** The headers that a middleware sets, which are the same for all requests. Node writes those of Fastify faster than its own. */
function headersOf(middleware: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => undefined);
  return response.getHeaders();
}

function secure(app: FastifyInstance, { config, blobs }: Deps): void {
  // Uploaded files are displayed and downloaded from there.
  const storage = blobs.origin === undefined ? [] : [blobs.origin];
  const protection = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'self'"],
          // WebAssembly reads barcodes and hashes files.
          'script-src': ["'self'", "'wasm-unsafe-eval'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:', 'blob:', ...storage],
          'media-src': ["'self'", 'blob:', ...storage],
          'worker-src': ["'self'", 'blob:'],
          'connect-src': ["'self'", ...storage],
          'object-src': ["'none'"],
          'base-uri': ["'none'"],
          'frame-ancestors': ["'none'"],
          'form-action': ["'self'"],
        },
      },
      // HSTS is sent only if the public address uses https.
      strictTransportSecurity: config.publicUrl?.startsWith('https:') ? { maxAge: YEAR_SECONDS } : false,
      crossOriginEmbedderPolicy: false,
      xFrameOptions: { action: 'deny' },
    }),
  );
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(protection).header('permissions-policy', PERMISSIONS_POLICY).header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', ({ log, method, routeOptions, caller }, { statusCode, elapsedTime }, done) => {
    // The route's pattern, because requested addresses contain codes and signatures.
    const who = caller && { [caller.kind]: caller.id };
    log.debug({ method, url: routeOptions.url, status: statusCode, ms: Math.round(elapsedTime), ...who }, 'response');
    done();
  });
}

/** `/api/openapi.json` from the same objects that answer, and a page to read it. */
function document(app: FastifyInstance, config: Config, otherPaths: OwnPaths): void {
  const describe = openApi(otherPaths);
  let page: string | undefined;
  app.get('/api/openapi.json', (request) => describe(webAddress(config, request)));
  app.get('/api/docs', (_request, reply) =>
    reply
      .type('text/html')
      .header('content-security-policy', DOCS_POLICY)
      .send((page ??= docsPage(describe('')))),
  );
}
