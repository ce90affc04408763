import { AppError, UPLOAD_URL } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Viewer } from '../platform/auth/auth.ts';
import { findUnstorable } from '../platform/database/unstorable.ts';
import { invalidField } from '../platform/http/errors.ts';
import { answerOnce } from '../platform/http/idempotency/once.ts';
import { intentOf } from '../platform/http/idempotency/request.ts';
import type { Answer } from '../platform/http/idempotency/seal.ts';
import type { Deps } from '../platform/process/deps.ts';
import { makeFinisher } from './finish-upload.ts';
import { UploadLocks } from './locks.ts';
import { encodeMetadata, hasPart, headerOf, metadataOf, OCTETS, requireInteger, TusRefusal } from './protocol.ts';
import type { Purposes, UploadPurpose } from '../blobs/purpose.ts';
import type { FoundUpload } from './uploads.queries.ts';
import { expiryOf, type OpenUpload, Receiver, UPLOAD_EXPIRY_MS } from './receiver.ts';
import { type SentPart, takePart } from './sent-part.ts';

/** A request that another one asks to end has this long to end by itself. */
const LOCK_DRAIN_MS = 300;

/** A finished upload that was kept: its client may have missed the answer. */
interface Finished {
  kind: 'finished';
  size: number;
}
type Found = Finished | { kind: 'complete' } | { kind: 'open'; row: FoundUpload };

/** Headers that the answer to a repeated creation has again. */
const CREATED_HEADERS = ['location', 'tus-resumable', 'upload-offset', 'upload-expires', 'file-id'];

/** The answer that a creation was given; undefined when nothing was created. */
function createdBy(reply: FastifyReply): Answer | undefined {
  if (reply.statusCode !== 201) return undefined;
  const given = CREATED_HEADERS.map((name) => [name, reply.getHeader(name)] as const);
  const headers = given.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]);
  return { status: 201, headers: Object.fromEntries(headers), body: '' };
}

/** A number of the table of kinds, which the schema of the metadata checks. */
const KIND_NUMBER = /^\d$/;

/** The verbs of tus on uploads. Each answers `reply`, or throws an `AppError` or a `TusRefusal`. */
export class Uploads {
  readonly #deps: Deps;
  readonly #purposes: Purposes;
  readonly #receiver: Receiver;
  readonly #locks: UploadLocks;
  readonly #finish: (id: string) => Promise<void>;
  /** Aborts when receiving has to end; what arrived is kept. */
  readonly #stopping: AbortSignal;

  constructor(deps: Deps, purposes: Purposes, stopping: AbortSignal) {
    this.#deps = deps;
    this.#purposes = purposes;
    this.#stopping = stopping;
    const purposeOf = (name: string): UploadPurpose => this.#purposeOf(name);
    this.#receiver = new Receiver(deps, purposeOf);
    this.#locks = new UploadLocks(deps);
    this.#finish = makeFinisher(deps, this.#receiver, this.#locks, purposeOf);
  }

  /** POST: a new upload, perhaps with its first bytes; with an idempotency key, one upload however often it comes. */
  async create(request: FastifyRequest, reply: FastifyReply, viewer: Viewer): Promise<FastifyReply> {
    const asked = ['upload-length', 'upload-metadata'].map((name) => headerOf(request, name) ?? '');
    const intent = intentOf(request, viewer, () => asked);
    if (!intent) return this.#create(request, reply, viewer);
    const answer = await answerOnce(this.#deps, intent, async () => {
      await this.#create(request, reply, viewer);
      return createdBy(reply);
    });
    return reply.sent || !answer ? reply : reply.code(answer.status).headers(answer.headers).send();
  }

  /** HEAD: how many bytes are stored. */
  async describe(reply: FastifyReply, viewer: Viewer, id: string): Promise<FastifyReply> {
    const finished = await this.#finishedOf(viewer, id);
    if (finished) return answerFinished(reply.code(200), id, finished);
    const open = await this.#open(viewer, id);
    // A process can die before it notes the last bytes. Clients send no more, and take the upload for kept.
    if (!open || open.offset === open.row.size) {
      return answerFinished(reply.code(200), id, await this.#finishNow(viewer, id));
    }
    const { row, offset } = open;
    return reply
      .code(200)
      .headers({ 'cache-control': 'no-store', 'upload-offset': offset, 'upload-length': row.size })
      .headers({ 'upload-metadata': encodeMetadata(row.metadata), 'upload-expires': expiryOf(row).toUTCString() })
      .send();
  }

  /** PATCH: more bytes. */
  async append(request: FastifyRequest, reply: FastifyReply, viewer: Viewer, id: string): Promise<FastifyReply> {
    if (!hasPart(request)) throw new TusRefusal(415, { t: OCTETS });
    const claimed = requireInteger(request, 'upload-offset');
    const part = takePart(request, this.#stopping);
    const finished = await this.#finishedOf(viewer, id);
    if (finished && claimed !== finished.size) throw new TusRefusal(409);
    if (finished) return answerFinished(reply.code(204), id, finished);
    const { size, offset } = await this.#receive(viewer, id, part, claimed);
    void reply.code(204).header('upload-offset', offset);
    if (offset === size) await this.#complete(reply, viewer, id);
    else void reply.header('upload-expires', expiryOf({ touched_at: new Date() }).toUTCString());
    return reply.send();
  }

  /** DELETE: gives an unfinished upload up. Throws `NOT_FOUND` for one that was kept. */
  async terminate(reply: FastifyReply, viewer: Viewer, id: string): Promise<FastifyReply> {
    await this.#find(viewer, id);
    {
      await using _lock = await this.#locks.take(id);
      // The request that was waited for may have finished it.
      if (await this.#findKept(viewer, id)) throw new AppError('NOT_FOUND');
      await this.#receiver.remove(id);
    }
    return reply.code(204).send();
  }

  async #create(request: FastifyRequest, reply: FastifyReply, viewer: Viewer): Promise<FastifyReply> {
    if (this.#deps.diskSpace.isFull) throw new AppError('STORAGE_FULL');
    const sent = metadataOf(request);
    const size = requireInteger(request, 'upload-length');
    const unstorable = findUnstorable(sent);
    if (unstorable !== undefined) throw invalidField(unstorable, 'invalid');
    const purpose = this.#asked(sent['kind']);
    const metadata = await purpose.admit(viewer, sent, size);
    const id = uuidv7();
    const part = hasPart(request) ? takePart(request, this.#stopping) : undefined;
    const by = { uploader_id: viewer.id, person_id: viewer.person.id };
    await this.#receiver.create({ id, ...by, purpose: purpose.name, metadata, size });
    const offset = await this.#begin(reply, viewer, id, { size, part });
    void reply.code(201).header('location', `${UPLOAD_URL}/${id}`);
    if (part) void reply.header('upload-offset', offset);
    if (offset < size) void reply.header('upload-expires', new Date(Date.now() + UPLOAD_EXPIRY_MS).toUTCString());
    return reply.send();
  }

  /** Receives what came with a creation. If that fails, nothing is left: its client does not know the address. */
  async #begin(
    reply: FastifyReply,
    viewer: Viewer,
    id: string,
    { size, part }: { size: number; part: SentPart | undefined },
  ): Promise<number> {
    try {
      const offset = part ? (await this.#receive(viewer, id, part, 0)).offset : 0;
      if (offset === size) await this.#complete(reply, viewer, id);
      return offset;
    } catch (error) {
      // An upload that cannot be removed now expires after a day.
      await this.#receiver.remove(id).catch(() => undefined);
      throw error;
    }
  }

  /** Adds a part that claims to begin at `claimed`. Refuses with 409 when it does not. */
  async #receive(
    viewer: Viewer,
    id: string,
    part: SentPart,
    claimed: number,
  ): Promise<{ size: number; offset: number }> {
    await using _lock = await this.#locks.take(id, () => setTimeout(part.end, LOCK_DRAIN_MS).unref());
    const open = await this.#stillOpen(viewer, id);
    if (open?.offset !== claimed) throw new TusRefusal(409);
    return { size: open.row.size, offset: await this.#receiver.append(open, part) };
  }

  async #open(viewer: Viewer, id: string): Promise<OpenUpload | undefined> {
    await using _lock = await this.#locks.take(id);
    return await this.#stillOpen(viewer, id);
  }

  /** Undefined if the request that the lock was waited for has brought the last bytes. Throws `NOT_FOUND`. */
  async #stillOpen(viewer: Viewer, id: string): Promise<OpenUpload | undefined> {
    const found = await this.#find(viewer, id);
    return found.kind === 'open' ? this.#receiver.open(found.row) : undefined;
  }

  /** Makes of a complete upload what it was sent for, and names it in the answer. */
  async #complete(reply: FastifyReply, viewer: Viewer, id: string): Promise<void> {
    await this.#finishNow(viewer, id);
    void reply.header('file-id', id);
  }

  /** Finishes an upload whose bytes are all there; undefined for one that lacks some. Throws `NOT_FOUND`. */
  async #finishedOf(viewer: Viewer, id: string): Promise<Finished | undefined> {
    const found = await this.#find(viewer, id);
    if (found.kind === 'open') return undefined;
    if (found.kind === 'finished') return found;
    return this.#finishNow(viewer, id);
  }

  async #finishNow(viewer: Viewer, id: string): Promise<Finished> {
    await this.#finish(id);
    // The row may also have been deleted with the account of its uploader.
    return this.#requireFinished(viewer, id);
  }

  async #find(viewer: Viewer, id: string): Promise<Found> {
    const upload = await this.#receiver.find(id);
    if (!upload) return this.#requireFinished(viewer, id);
    if (upload.uploader_id !== viewer.id) throw new AppError('NOT_FOUND');
    return upload.sha256 === null ? { kind: 'open', row: upload } : { kind: 'complete' };
  }

  async #requireFinished(viewer: Viewer, id: string): Promise<Finished> {
    const kept = await this.#findKept(viewer, id);
    if (!kept) throw new AppError('NOT_FOUND');
    return kept;
  }

  async #findKept(viewer: Viewer, id: string): Promise<Finished | undefined> {
    for (const purpose of this.#purposes) {
      const size = await purpose.sizeOfKept(viewer.id, id);
      if (size !== undefined) return { kind: 'finished', size };
    }
    return undefined;
  }

  /** The `kind` in the metadata names a purpose, or is a number of the table of kinds, or is missing. */
  #asked(name: string | null | undefined): UploadPurpose {
    if (typeof name !== 'string' || KIND_NUMBER.test(name)) return this.#purposes[0];
    return this.#purposeOf(name);
  }

  #purposeOf(name: string): UploadPurpose {
    const purpose = this.#purposes.find((one) => one.name === name);
    if (!purpose) throw invalidField('kind', 'invalid');
    return purpose;
  }
}

const answerFinished = (reply: FastifyReply, id: string, { size }: Finished): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', 'file-id': id, 'upload-offset': size, 'upload-length': size }).send();
