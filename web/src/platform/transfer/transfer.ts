import type { Failure } from '@ams/contract';
import { Upload } from 'tus-js-client';
import { api } from '../api.ts';
import { IDEMPOTENCY_HEADER, newKey } from '../intents.ts';
import { isReadable } from './readable.ts';
import { RETRIES_MAX, backoff, isFinal, worthAnotherTry } from './retry.ts';
import { authorization, readHeaders } from '../headers.ts';
import { FIRST_PIECE, authorize, endpoint, askedBy, failureOf, fileIdOf, isGone, read, responseOf } from './tus.ts';
import { findUnfinished, forget, noteSent, unfinishedUrls } from './unfinished.ts';

/** A file on its way to the server. */
export interface Sending {
  file: File;
  /** Identity of a file selected again, so that its upload can resume. */
  fingerprint: string;
  /** tus `Upload-Metadata`, decoded. */
  metadata: Record<string, string>;
}

export interface TransferEvents {
  onProgress: (sent: number) => void;
  /** No answer, or one that may be better later; it is tried again by itself. */
  onInterrupted: () => void;
  onDone: (fileId: string) => void;
  onFailed: (failure: Failure) => void;
  /** The file was changed or deleted meanwhile; what arrived stays on the server. */
  onUnreadable: () => void;
  /** Another tab sends this very file. */
  onElsewhere: () => void;
}

export interface Transfer {
  /** Stops sending; what arrived stays on the server. */
  stop: () => void;
}

/** So long without a byte leaving (or, once all have left, without an answer), the connection is dead. */
const STALLED_AFTER = 30_000;
const NO_ANSWER_AFTER = 120_000;
const NOTE_EVERY = 1000;

/** Takes what arrived of an unfinished upload off the server. */
export async function discard(fingerprint: string): Promise<void> {
  const [unfinished] = await unfinishedUrls.findUploadsByFingerprint(fingerprint);
  forget(fingerprint);
  if (!unfinished?.uploadUrl) return;
  // Uploads that cannot be deleted now expire after a day.
  await Upload.terminate(unfinished.uploadUrl, { onBeforeRequest: authorize }).catch(() => undefined);
}

const LOOK_MS = 15_000;
const lockOf = (fingerprint: string): string => `ams_upload|${fingerprint}`;

/** Whether a tab sends this file. */
async function isSent(fingerprint: string): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(fingerprint));
}

/**
 * Asks the server how much of an unfinished upload arrived, and notes it. An upload that is done, or gone, is forgotten: the
 * answer that said so was lost with the page. Answers whether it is done; without an answer, nothing changes.
 */
export async function lookUp(fingerprint: string): Promise<boolean> {
  const unfinished = findUnfinished(fingerprint);
  // A look would cut the connection that sends it.
  if (!unfinished || (await isSent(fingerprint))) return false;
  const asked = authorization() ?? '';
  const headers = { 'authorization': asked, 'tus-resumable': '1.0.0' };
  const init = { method: 'HEAD', headers, signal: AbortSignal.timeout(LOOK_MS) };
  const answer = await fetch(unfinished.url, init).catch(() => undefined);
  if (!answer) return false;
  readHeaders(answer.status, asked, (name) => answer.headers.get(name) ?? undefined);
  if (!answer.ok && !isGone(answer.status)) return false;
  // The file may have been chosen meanwhile, and its upload have begun anew.
  if (findUnfinished(fingerprint)?.url !== unfinished.url) return false;
  const arrived = Number(answer.headers.get('upload-offset'));
  const isDone = answer.ok && arrived === unfinished.size;
  if (isDone || !answer.ok) forget(fingerprint);
  else noteSent(fingerprint, arrived);
  return isDone;
}

/**
 * Keeps other tabs from sending the same file at the same time. Resolves with a function that releases the lock; undefined
 * when another tab has it. Without locks (not a secure context) the server's own order has to do.
 */
function claim(fingerprint: string): Promise<(() => void) | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<(() => void) | undefined>();
  if (!('locks' in navigator)) return Promise.resolve(() => undefined);
  const held = navigator.locks.request(lockOf(fingerprint), { ifAvailable: true }, (lock) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    resolve(lock ? release : undefined);
    return lock ? released : undefined;
  });
  held.catch(reject);
  return promise;
}

/**
 * Sends one file by tus and keeps at it: a lost connection, a stalled one and a server that is busy or
 * restarting are tried again from what arrived, at once when the network returns.
 */
export function startTransfer({ file, fingerprint, metadata }: Sending, events: TransferEvents): Transfer {
  let active = true;
  let release: (() => void) | undefined;
  let attempt = 0;
  let refusals = 0;
  let furthest = 0;
  let arrived = 0;
  let noted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let key = newKey();

  const finish = () => {
    active = false;
    release?.();
    clearTimeout(timer);
    window.removeEventListener('online', begin);
    window.removeEventListener('offline', interrupt);
  };
  const later = (ms: number, what: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(what, ms);
  };
  const again = () => {
    events.onInterrupted();
    later(backoff(attempt++), begin);
  };
  /** To the request, a file that cannot be read any more is a lost connection. */
  const unanswered = async () => {
    const isLost = !navigator.onLine || (await isReadable(file));
    if (!active) return;
    if (isLost) return again();
    finish();
    events.onUnreadable();
  };

  const upload = new Upload(file, {
    endpoint: endpoint(),
    metadata,
    chunkSize: FIRST_PIECE,
    retryDelays: null,
    fingerprint: async () => fingerprint,
    urlStorage: unfinishedUrls,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: (request) => {
      if (!active) throw new Error('Stopped');
      authorize(request);
      // An answer that was lost must not leave a second upload behind.
      if (request.getMethod() === 'POST') request.setHeader(IDEMPOTENCY_HEADER, key);
    },
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'POST' && response.getStatus() < 500) key = newKey();
      read(request, response);
      // A proxy may end each request after a while: as long as more arrives, that is no reason to give up.
      const offset = Number(response.getHeader('Upload-Offset'));
      if (!(offset > arrived)) return;
      arrived = offset;
      attempt = 0;
      refusals = 0;
    },
    onProgress: (sent, total) => {
      if (!active) return;
      later(sent < total ? STALLED_AFTER : NO_ANSWER_AFTER, interrupt);
      events.onProgress(sent);
      if (sent > furthest) attempt = 0;
      furthest = Math.max(furthest, sent);
      if (Date.now() - noted < NOTE_EVERY) return;
      noted = Date.now();
      noteSent(fingerprint, sent);
    },
    onChunkComplete: () => {
      refusals = 0;
      upload.options.chunkSize = Number.POSITIVE_INFINITY;
    },
    onSuccess: ({ lastResponse }) => {
      if (!active) return;
      finish();
      events.onDone(fileIdOf(lastResponse, upload.url));
    },
    onError: (error) => {
      if (!active) return;
      const response = responseOf(error);
      if (!response) return void unanswered();
      const failure = failureOf(response);
      if (worthAnotherTry(failure) && refusals++ < RETRIES_MAX) return again();
      finish();
      if (isFinal(failure)) forget(fingerprint);
      api.settle(failure, askedBy(error));
      events.onFailed(failure);
    },
  });

  function begin(): void {
    if (!active) return;
    void upload.abort();
    later(STALLED_AFTER, interrupt);
    upload.start();
  }
  function interrupt(): void {
    if (!active) return;
    void upload.abort();
    again();
  }

  window.addEventListener('online', begin);
  window.addEventListener('offline', interrupt);
  const beginOrGoOn = async () => {
    release = await claim(fingerprint);
    if (!active) return release?.();
    if (!release) {
      finish();
      return events.onElsewhere();
    }
    const [previous] = await upload.findPreviousUploads();
    if (previous) upload.resumeFromPreviousUpload(previous);
    begin();
  };
  void beginOrGoOn();

  return {
    stop: () => {
      finish();
      void upload.abort();
    },
  };
}
