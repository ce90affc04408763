import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, UPLOAD_URL } from '@ams/contract';
import { ERRORS, Metadata, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { authenticate, type Viewer } from '../platform/auth/auth.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import { answerOnce } from '../platform/http/idempotency/once.ts';
import { intentOf } from '../platform/http/idempotency/request.ts';
import type { Answer } from '../platform/http/idempotency/seal.ts';
import { findUnstorable } from '../platform/database/unstorable.ts';
import type { UploadPurpose } from './purpose.ts';
import { makeFinisher } from './finish-upload.ts';
import {
  CHECKSUM_ALGORITHMS,
  CHECKSUM_MISMATCH,
  checksumOf,
  headerOf,
  ID_HEADER,
  lengthOf,
  refuse,
  toTus,
  TUS_VERSION,
} from './tus-request.ts';
import { UploadLocks } from './upload-locks.ts';
import { decodeWishes, encodeRecord } from './upload-record.ts';
import { ChecksumMismatch, TooManyBytes, UploadStore } from './upload-store.ts';

/** Time for which a refused client may keep sending, so that it can read the answer. */
const LINGER_MS = 5000;
const LOCK_DRAIN_MS = 300;
/** Time for running uploads to finish when this process stops. */
const STOP_GRACE_MS = 3000;
/** Then it is cut; a stop does not wait longer for a storage that does not answer. */
const STOP_MS = 5000;
const READABLE_HEADERS = ['file-id', 'token', 'expires_in', 'role', 'superior', 'current'];

/** A finished upload, kept for clients that missed the answer. */
interface Finished {
  kind: 'finished';
  size: number;
}
type Found = Finished | { kind: 'complete' } | { kind: 'open' };

/** Message for internal errors. */
function translate(error: unknown): unknown {
  return error === ERRORS.ERR_LOCK_TIMEOUT ? new AppError('UNAVAILABLE') : error;
}

/** The answer to a repeated creation. */
const CREATED_HEADERS = ['location', 'tus-resumable', 'upload-offset', 'upload-expires', 'file-id'];

/** The answer that a creation was given; undefined when nothing was created. */
function createdBy(reply: FastifyReply): Answer | undefined {
  if (reply.statusCode !== 201) return undefined;
  const given = CREATED_HEADERS.map((name) => [name, reply.getHeader(name)] as const);
  const headers = given.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]);
  return { status: 201, headers: Object.fromEntries(headers), body: '' };
}

/** Purposes of uploads; the first one is the default. */
type Purposes = readonly [UploadPurpose, ...UploadPurpose[]];

/** A number of the table of kinds, which the schema of the metadata checks. */
const KIND_NUMBER = /^\d$/;

/** The uploads of one server process. */
class Uploads {
  readonly #deps: Deps;
  readonly #purposes: Purposes;
  readonly #store: UploadStore;
  readonly #tus: Server;
  readonly #finish: (id: string) => Promise<void>;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** Error thrown by the store during a request; tus itself passes on only statuses. */
  readonly #thrown = new WeakMap<Request, Error>();

  constructor(deps: Deps, purposes: Purposes) {
    this.#deps = deps;
    this.#purposes = purposes;
    this.#store = new UploadStore(
      deps,
      ({ purpose, metadata }, head) => this.#purposeOf(purpose).judge(metadata, head),
      async (db, { purpose, metadata, size }) => this.#purposeOf(purpose).reserve?.(db, metadata, size),
    );
    const locks = new UploadLocks(deps);
    this.#finish = makeFinisher(deps, this.#store, locks, (name) => this.#purposeOf(name));
    this.#tus = new Server({
      path: UPLOAD_URL,
      datastore: this.#store,
      locker: locks,
      relativeLocation: true,
      // After a reconnect the old connection may still hold the upload; it ends soon.
      lockDrainTimeout: LOCK_DRAIN_MS,
      allowedOrigins: [],
      exposedHeaders: READABLE_HEADERS,
      maxSize: Math.max(...purposes.map(({ maxBytes }) => maxBytes)),
      namingFunction: (request) => request.headers.get(ID_HEADER) ?? uuidv7(),
      onResponseError: (request, error) => {
        if (error instanceof Error) this.#thrown.set(request, error);
        return undefined;
      },
    });
  }

  /** Runs a request so that `stop` waits for it. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const running = request();
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** How many requests are being received and stored. */
  get running(): number {
    return this.#running.size;
  }

  /** Ends running uploads; received bytes are stored, and the uploads continue at another process. */
  async stop(): Promise<void> {
    await this.#settled(STOP_GRACE_MS);
    this.#stopping.abort();
    await this.#settled(STOP_MS);
  }

  /** Waits until nothing is being received, but not longer than that. */
  async #settled(withinMs: number): Promise<void> {
    const patience = new AbortController();
    const tooLong = sleep(withinMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#running), tooLong]);
    patience.abort();
  }

  /** POST: a new upload, perhaps with its first bytes; with an idempotency key, one upload however often it comes. */
  async create(request: FastifyRequest, reply: FastifyReply, viewer: Viewer): Promise<FastifyReply> {
    const asked = ['upload-length', 'upload-metadata'].map((name) => headerOf(request, name) ?? '');
    const intent = intentOf(request, viewer, asked);
    if (!intent) return this.#create(request, reply, viewer);
    const answer = await answerOnce(this.#deps, intent, async () => {
      await this.#create(request, reply, viewer);
      return createdBy(reply);
    });
    return reply.sent || !answer ? reply : reply.code(answer.status).headers(answer.headers).send();
  }

  async #create(request: FastifyRequest, reply: FastifyReply, viewer: Viewer): Promise<FastifyReply> {
    if (this.#deps.room.isFull) throw new AppError('STORAGE_FULL');
    const length = headerOf(request, 'upload-length');
    const wishes = decodeWishes(headerOf(request, 'upload-metadata'));
    const unstorable = findUnstorable(wishes);
    if (unstorable !== undefined) throw invalidField(unstorable, 'invalid');
    const kind = this.#asked(wishes['kind']);
    const metadata = await kind.admit(viewer, wishes, length);
    const id = uuidv7();
    const record = encodeRecord({ purpose: kind.name, uploader: viewer.id, metadata });
    const extra = { 'upload-metadata': Metadata.stringify(record), [ID_HEADER]: id };
    return this.#answer(request, reply, viewer, toTus(request, this.#stopping.signal, extra), id, length);
  }

  /** HEAD, PATCH and DELETE of an upload of the viewer's own. */
  async continue(request: FastifyRequest, reply: FastifyReply, viewer: Viewer, id: string): Promise<FastifyReply> {
    const found = await this.#find(viewer, id);
    if (found.kind === 'complete') await this.#complete(id);
    if (found.kind !== 'open') {
      return this.#answerFinished(request, reply, id, await this.#requireFinished(viewer, id));
    }
    return this.#answer(request, reply, viewer, toTus(request, this.#stopping.signal), id, undefined);
  }

  async describe(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await this.#tus.handleWeb(toTus(request, this.#stopping.signal).head);
    void reply.header('tus-checksum-algorithm', CHECKSUM_ALGORITHMS.join(','));
    return this.#copy(response, reply).send();
  }

  async #complete(id: string): Promise<void> {
    try {
      await this.#finish(id);
    } catch (error) {
      throw translate(error);
    }
  }

  async #find(viewer: Viewer, id: string): Promise<Found> {
    const upload = await this.#store.find(id);
    if (!upload) return this.#requireFinished(viewer, id);
    if (upload.uploader_id !== viewer.id) throw new AppError('NOT_FOUND');
    return { kind: upload.sha256 === null ? 'open' : 'complete' };
  }

  async #requireFinished(viewer: Viewer, id: string): Promise<Finished> {
    for (const kind of this.#purposes) {
      const size = await kind.sizeOfKept(viewer.id, id);
      if (size !== undefined) return { kind: 'finished', size };
    }
    throw new AppError('NOT_FOUND');
  }

  /** The `kind` in the metadata names a purpose; else it is a file's number in the table of kinds. */
  #asked(name: string | null | undefined): UploadPurpose {
    const asked = this.#purposes.find((one) => one.name === name);
    if (asked) return asked;
    if (typeof name === 'string' && !KIND_NUMBER.test(name)) throw invalidField('kind', 'invalid');
    return this.#purposes[0];
  }

  #purposeOf(name: string): UploadPurpose {
    const kind = this.#purposes.find((one) => one.name === name);
    if (!kind) throw invalidField('kind', 'invalid');
    return kind;
  }

  #answerFinished(request: FastifyRequest, reply: FastifyReply, id: string, { size }: Finished): FastifyReply {
    if (request.method === 'DELETE') throw new AppError('NOT_FOUND');
    if (request.method === 'PATCH' && headerOf(request, 'upload-offset') !== String(size)) {
      return refuse(request, reply, 409);
    }
    return reply
      .code(request.method === 'HEAD' ? 200 : 204)
      .headers({ 'cache-control': 'no-store', 'file-id': id, 'tus-resumable': TUS_VERSION, 'upload-offset': size })
      .header('upload-length', size)
      .send();
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: Viewer,
    { head, sent }: ReturnType<typeof toTus>,
    id: string,
    createdLength: string | undefined,
  ): Promise<FastifyReply> {
    const piece = { checksum: checksumOf(request), announced: lengthOf(request), sent };
    const response = await this.#store.during(piece, () => this.#tus.handleWeb(head));
    const error = this.#thrown.get(head);
    if (error instanceof ChecksumMismatch) return refuse(request, reply, CHECKSUM_MISMATCH);
    if (error instanceof TooManyBytes) return refuse(request, reply, 413);
    if (error) throw translate(error);
    // An unsupported extension, and a missing required header.
    if (response.status === 501 || response.status === 403) return refuse(request, reply, 400);
    if (response.status >= 500) throw new AppError('UNAVAILABLE');
    if (response.status >= 400) return refuse(request, reply, response.status);
    const offset = response.headers.get('upload-offset');
    const length = createdLength ?? response.headers.get('upload-length') ?? (await this.#lengthOf(id, offset));
    if (offset !== null && offset === length) {
      await this.#complete(id);
      // The row may also have been deleted with the uploader's account.
      await this.#requireFinished(viewer, id);
      void reply.header('file-id', id);
    }
    return this.#copy(response, reply).send();
  }

  async #lengthOf(id: string, offset: string | null): Promise<string | undefined> {
    return offset === null ? undefined : String((await this.#store.find(id))?.size);
  }

  #copy(response: Response, reply: FastifyReply): FastifyReply {
    for (const [name, value] of response.headers) void reply.header(name, value);
    return reply.code(response.status).removeHeader('content-type').removeHeader('content-length');
  }
}

/** Reads on what a refused client still sends, and cuts it off when that does not end. */
async function drain(request: FastifyRequest): Promise<void> {
  const { raw } = request;
  if (raw.complete) return;
  raw.unpipe().resume();
  setTimeout(() => !raw.complete && raw.socket.destroy(), LINGER_MS).unref();
}

const Id = z.object({ id: z.uuid() });

async function handle(
  uploads: Uploads,
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A browser asks this before it may send who it is.
  if (request.method === 'OPTIONS') return uploads.describe(request, reply);
  const viewer = await authenticate('user', deps.identities, request, reply);
  if (viewer.kind !== 'user') throw new AppError('UNAUTHENTICATED');
  const { data: params } = Id.safeParse(request.params);
  if (request.method === 'POST' && !params) return uploads.create(request, reply, viewer);
  if (!params || !['HEAD', 'PATCH', 'DELETE'].includes(request.method)) throw new AppError('NOT_FOUND');
  return uploads.continue(request, reply, viewer, params.id);
}

/**
 * tus 1.0.0 at `/api/uploads`. Every answer but the protocol's own is the usual envelope; the one that
 * completes an upload carries the id of what it became in `file-id`. The `kind` in the metadata names the
 * purpose; without such a name the first one is meant.
 */
export async function uploadRoutes(app: FastifyInstance, deps: Deps, purposes: Purposes): Promise<void> {
  const uploads = new Uploads(deps, purposes);
  deps.metrics.gauge('ams_uploads_running', 'Upload requests that are being received and stored', () => [
    { value: uploads.running },
  ]);
  await app.register(async (scope) => {
    // The bytes are read by tus alone, as they come.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onResponse', drain);
    scope.addHook('preClose', () => uploads.stop());
    const options = { schema: { hide: true } };
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      uploads.run(() => handle(uploads, deps, request, reply));
    scope.all(UPLOAD_URL, options, handler);
    scope.all(`${UPLOAD_URL}/:id`, options, handler);
  });
}
