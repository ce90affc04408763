import { AppError } from '@ams/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Refuses a method that an address does not have, and names those that it has (RFC 9110 §15.5.6). */
export function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): never {
  void reply.header('allow', allowed.join(', '));
  throw new AppError('METHOD_NOT_ALLOWED', { method: request.method });
}

/**
 * Notes the methods of every address that is registered from now on. Call the result once all are: the addresses then
 * answer OPTIONS with their methods (RFC 9110 §9.3.7), and 405 to any other one.
 */
export function completeMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url }) => {
    const methods = known.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    known.set(url, methods);
  });
  return () => {
    // The last parts of pages have any number of addresses, which are looked up (pages.ts).
    for (const [url, methods] of [...known].filter(([each]) => !each.includes('*'))) addOthers(app, url, methods);
  };
}

function addOthers(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const others = app.supportedMethods.filter((method) => !methods.has(method));
  if (others.length === 0) return;
  const allowed = [...new Set([...methods, 'OPTIONS'])];
  app.route({
    method: others,
    url,
    // Before the body is read, whatever its type.
    onRequest: async (request, reply) => {
      if (request.method !== 'OPTIONS') refuseMethod(request, reply, allowed);
      return reply.code(204).header('allow', allowed.join(', ')).send();
    },
    handler: (_request, reply) => reply,
  });
}

/** A range is a matter of GET alone: with HEAD it is ignored (RFC 9110 §14.2). */
export function ignoreRangeOfHead(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.method === 'HEAD') delete raw.headers.range;
    done();
  });
}
