import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, Id, UPLOAD_URL } from '@ams/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { authenticate } from '../platform/auth/auth.ts';
import { refuseMethod } from '../platform/http/methods.ts';
import type { Deps } from '../platform/process/deps.ts';
import {
  CHECKSUM_ALGORITHMS,
  EXTENSIONS,
  methodOf,
  requireProtocol,
  sendRefusal,
  TUS_VERSION,
  TusRefusal,
} from './protocol.ts';
import type { Purposes } from '../blobs/purpose.ts';
import { Uploads } from './uploads.service.ts';

/** A client that was refused may continue to send for this long, so that it reads the answer first. */
const LINGER_MS = 5000;
/** When the process stops, requests have this long to end by themselves. */
const STOP_GRACE_MS = 3000;
/** Then receiving ends; a stop does not wait longer for a storage that does not answer. */
const STOP_MS = 5000;

/** The requests that are being received and stored. */
class Running {
  readonly #requests = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  get count(): number {
    return this.#requests.size;
  }

  /** Runs a request so that `stop` waits for it. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const running = request();
    this.#requests.add(running);
    return running.finally(() => this.#requests.delete(running));
  }

  /** Ends what is being received; all that arrived is stored and noted, and the upload resumes at another process. */
  async stop(): Promise<void> {
    await this.#settled(STOP_GRACE_MS);
    this.#stopping.abort();
    await this.#settled(STOP_MS);
  }

  async #settled(withinMs: number): Promise<void> {
    const patience = new AbortController();
    const tooLong = sleep(withinMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#requests), tooLong]);
    patience.abort();
  }
}

/** Discards what a refused client still sends, and disconnects it when that does not end. */
async function drain({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete) return;
  raw.unpipe().resume();
  setTimeout(() => !raw.complete && raw.socket.destroy(), LINGER_MS).unref();
}

/** OPTIONS: the version and extensions that the server supports. */
const describeServer = (reply: FastifyReply, purposes: Purposes): FastifyReply =>
  reply
    .code(204)
    .headers({
      'tus-version': TUS_VERSION,
      'tus-extension': EXTENSIONS.join(','),
      'tus-max-size': Math.max(...purposes.map(({ maxBytes }) => maxBytes)),
      'tus-checksum-algorithm': CHECKSUM_ALGORITHMS.join(','),
    })
    .send();

const Params = z.object({ id: z.string().optional() });

/** The methods of the address that creates uploads, and of that of an upload. */
const CREATE_METHODS = ['POST', 'OPTIONS'];
const UPLOAD_METHODS = ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'];

async function handle(
  uploads: Uploads,
  { identities }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id: given } = Params.parse(request.params);
  const method = methodOf(request);
  const allowed = given === undefined ? CREATE_METHODS : UPLOAD_METHODS;
  if (!allowed.includes(method)) refuseMethod(request, reply, allowed);
  requireProtocol(request);
  const viewer = await authenticate(
    { access: 'user', people: method === 'HEAD' ? 'all' : 'operators' },
    identities,
    request,
    reply,
  );
  if (viewer.kind !== 'user') throw new AppError('UNAUTHENTICATED');
  if (given === undefined) return uploads.create(request, reply, viewer);
  const { data: id } = Id.safeParse(given);
  if (id === undefined) throw new AppError('NOT_FOUND');
  if (method === 'HEAD') return uploads.describe(reply, viewer, id);
  if (method === 'PATCH') return uploads.append(request, reply, viewer, id);
  return uploads.terminate(reply, viewer, id);
}

/**
 * tus 1.0.0 at `/api/uploads`. Every answer but the protocol's own is the usual envelope; the one that completes an
 * upload carries the id of what it became in `file-id`.
 * @param purposes the `kind` in the metadata names one; without such a name the first is used
 */
export async function uploadRoutes(app: FastifyInstance, deps: Deps, purposes: Purposes): Promise<void> {
  const running = new Running();
  const uploads = new Uploads(deps, purposes, running.stopping);
  deps.metrics.gauge('ams_uploads_running', 'Upload requests that are being received and stored', () => [
    { value: running.count },
  ]);
  await app.register(async (scope) => {
    // Bodies are read as they come (sent-part.ts).
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onResponse', drain);
    scope.addHook('preClose', () => running.stop());
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      // A browser sends this request before it may send its credentials.
      if (methodOf(request) === 'OPTIONS') return describeServer(reply, purposes);
      void reply.header('tus-resumable', TUS_VERSION);
      try {
        return await running.run(() => handle(uploads, deps, request, reply));
      } catch (error) {
        if (error instanceof TusRefusal) return sendRefusal(error, request, reply);
        throw error;
      }
    };
    scope.all(UPLOAD_URL, answer);
    scope.all(`${UPLOAD_URL}/:id`, answer);
  });
}
