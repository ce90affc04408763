import {
  AppError,
  isRaw,
  isRepeatable,
  type Route,
  type RouteAnswer,
  type RouteParsed,
  type RouteTable,
  peopleOf,
  takesSpace,
} from '@ams/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { TokenBuckets } from '../limits/token-bucket.ts';
import { authenticate, type Device, type Viewer } from '../auth/auth.ts';
import type { Deps } from '../process/deps.ts';
import { invalidField } from './errors.ts';
import { answerIntent, intentOf } from './idempotency/request.ts';
import { messagesFor } from './messages.ts';
import { isSentFile, type SentFile, takeFiles } from './body-file.ts';
import { findUnstorable } from '../database/unstorable.ts';

type CallerOf<R extends Route> = R['access'] extends 'open'
  ? Record<never, never>
  : R['access'] extends 'device'
    ? { device: Device }
    : { viewer: Viewer };

type FileOf<R extends Route> = R extends { file: true } ? { file: SentFile } : Record<never, never>;

/** The arguments of a handler: the parsed request, the caller, and Fastify's request and reply. */
export type Context<R extends Route> = RouteParsed<R> &
  FileOf<R> &
  CallerOf<R> & { request: FastifyRequest; reply: FastifyReply };

/** Returns the data; or the reply if the handler has sent it. */
export type Handler<R extends Route> = (context: Context<R>) => Promise<RouteAnswer<R> | FastifyReply>;

/** A handler for every route of a feature: a route without one does not compile. */
export type Handlers<T extends RouteTable> = { [K in keyof T]: Handler<T[K]> };

const envelope = (data: z.ZodType) => z.object({ code: z.literal(200), message: z.string(), data });

type MountDeps = Pick<Deps, 'identities' | 'events' | 'db' | 'processId' | 'log' | 'stopping' | 'diskSpace'>;

/** A handler without the types of its route. */
type AnyHandler = (context: object) => Promise<unknown>;

/** Registers a feature's routes as native Fastify routes with their schemas, access and envelope. */
export function mount<T extends RouteTable>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  deps: MountDeps,
): void {
  for (const [name, route] of Object.entries(table)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table and its handlers have the same keys; Object.entries forgets which belongs to which
    const handler = handlers[name] as unknown as AnyHandler;
    const options: RouteOptions = {
      method: route.method,
      url: route.url,
      ...(route.maxBytes !== undefined && { bodyLimit: route.maxBytes }),
      config: { route, ...rateLimitOf(route) },
      schema: schemaOf(route),
      ...checksOf(route, deps),
      handler: answerOf(route, handler, deps),
    };
    if (route.file) takeFile(app, route.maxBytes, options);
    else if (route.bodyType === undefined) app.route(options);
    else takeBytes(app, route.bodyType, options);
  }
}

const schemaOf = ({ params, query, body, response }: Route) => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(body && { body }),
  ...(!isRaw(response) && { response: { 200: envelope(response) } }),
});

/** The limit per address; calls of devices are limited per device (`limitDevices`). */
const rateLimitOf = ({ perMinute, access, url }: Route) =>
  perMinute && access !== 'device'
    ? { rateLimit: { max: perMinute, timeWindow: '1 minute', groupId: ` ${url}` } }
    : undefined;

/** What is checked before the handler runs: the caller before the body is read, the request after it was parsed. */
function checksOf(route: Route, { identities, diskSpace }: MountDeps) {
  const limit = limitDevices(route);
  return {
    // Before the body is read: a stranger learns nothing about what a route accepts.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      // The default, which a handler may replace: no cache keeps what a person may see.
      void reply.header('cache-control', 'no-store');
      if (takesJson(route)) ignoreTypeOfNothing(request);
      const { access } = route;
      if (access === 'open') return;
      const admission = access === 'device' ? { access } : { access, people: peopleOf(route) };
      const caller = await authenticate(admission, identities, request, reply);
      request.caller = caller;
      limit(caller);
    },
    preHandler: async ({ params, query, body }: FastifyRequest) => {
      if (diskSpace.isFull && takesSpace(route)) throw new AppError('STORAGE_FULL');
      refuseUnstorable(route, params, query, body);
    },
  };
}

const takesJson = ({ file, bodyType }: Route): boolean => !file && bodyType === undefined;

/** Many clients name a type with every call: without a body it says nothing, and an empty text would be no JSON. */
function ignoreTypeOfNothing({ raw: { headers } }: FastifyRequest): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) delete headers['content-type'];
}

const contextOf = ({ file }: Route, request: FastifyRequest, reply: FastifyReply) => ({
  params: request.params,
  query: request.query,
  ...(file ? { file: request.body ?? NO_FILE } : { body: request.body }),
  ...(request.caller?.kind === 'user' && { viewer: request.caller }),
  ...(request.caller?.kind === 'device' && { device: request.caller }),
  request,
  reply,
});

/** Runs the handler, once for an idempotency key, and puts its answer into the envelope. */
function answerOf(route: Route, handler: AnyHandler, deps: MountDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string | object> => {
    const run = async (): Promise<object | undefined> => {
      const answer = await handler(contextOf(route, request, reply));
      if (isRaw(route.response) || answer === reply || reply.sent) return undefined;
      return { code: 200, message: messagesFor(request.headers['accept-language']).ok, data: answer };
    };
    const intent = isRepeatable(route) ? intentOf(request, request.caller, () => bytesOf(request.body)) : undefined;
    const answer = intent ? await answerIntent(deps, intent, { request, reply, run }) : await run();
    // A user sees their own change: this process drops its earlier cache entries.
    if (changes(route)) await deps.events.heardAll();
    return answer ?? reply;
  };
}

/** Whether people change something by this call. */
const changes = ({ method, access }: Route): boolean => method !== 'GET' && (access === 'user' || access === 'leading');

/** Fingerprint of a request body. */
function bytesOf(body: unknown): (string | Buffer)[] {
  if (Buffer.isBuffer(body)) return [body];
  if (isSentFile(body)) return [body.name, body.bytes];
  return [JSON.stringify(body) ?? ''];
}

/** Refuses text that no row can hold and that the schemas accept. */
function refuseUnstorable({ file }: Route, params: unknown, query: unknown, body: unknown): void {
  if (findUnstorable(params) !== undefined) throw new AppError('NOT_FOUND');
  const path = findUnstorable(query) ?? (file ? undefined : findUnstorable(body));
  if (path !== undefined) throw invalidField(path, 'invalid');
}

/** Limits each device by itself: devices behind one address do not use up each other's calls. */
function limitDevices({ access, perMinute }: Route): (caller: Viewer | Device) => void {
  if (access !== 'device' || perMinute === undefined) return () => undefined;
  const buckets = new TokenBuckets({ burst: Math.ceil(perMinute / 6), perSecond: perMinute / 60 });
  return (caller) => {
    const waitMs = caller.kind === 'device' ? buckets.take(caller.id) : 0;
    if (waitMs > 0) throw new AppError('TOO_MANY', { seconds: Math.ceil(waitMs / 1000) });
  };
}

/** A route whose body is bytes of one type, which no other route parses. */
function takeBytes(app: FastifyInstance, type: string, options: RouteOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route(options);
  });
}

const NO_FILE: SentFile = { name: '', bytes: Buffer.alloc(0) };

/** A route whose body is a file of any type. */
function takeFile(app: FastifyInstance, maxBytes: number | undefined, options: RouteOptions): void {
  void app.register(async (scope) => {
    takeFiles(scope, maxBytes);
    const { bodyLimit: _ofFile, ...rest } = options;
    scope.route(rest);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Viewer | Device | null;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}
