import { APP_FORMATS, APP_UPLOAD_KIND, type App, type Failure, extensionOf } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { Upload } from 'tus-js-client';
import { api } from '../platform/api.ts';
import { contractMessages } from '../platform/i18n.ts';
import { session } from '../platform/session.ts';
import { FIRST_PIECE, authorize, endpoint, failureOf, fileIdOf, read, responseOf } from '../platform/tus.ts';
import { formatBytes } from '../ui/format.ts';
import { appAdded, calls } from './apps.api.ts';

interface Chosen {
  name: string;
  size: number;
}

/** The one APK that this tab sends. */
export type ApkUpload =
  | { kind: 'none' }
  /** `sent` bytes are on their way; all of them: the server reads the APK. */
  | { kind: 'sending'; file: Chosen; sent: number }
  /** Why it ended; one that may go on was only interrupted. */
  | { kind: 'failed'; file: Chosen; message: string; mayGoOn: boolean }
  | { kind: 'done'; app: App };

/** Milliseconds between tries; a try that brings bytes begins the row anew. */
const TRIES = [500, 1000, 3000, 5000, 10_000, 20_000];
const PASSING = new Set([408, 423, 425, 429, 460, 500, 502, 503, 504]);

/** Why a file is not even sent, or undefined. */
function refusalOf(file: File, maxBytes: number): string | undefined {
  const { errors } = contractMessages();
  if (!APP_FORMATS.some((format) => format === extensionOf(file.name))) {
    return fillMessage(errors.UNSUPPORTED_FORMAT, { t: [...APP_FORMATS] });
  }
  if (file.size === 0) return errors.NOT_AN_APK;
  if (file.size > maxBytes) return fillMessage(errors.TOO_LARGE, { limit: formatBytes(i18next.language, maxBytes) });
  return undefined;
}

/** Lives outside the page: going elsewhere in the app changes nothing. */
function makeApkUpload() {
  let state: ApkUpload = { kind: 'none' };
  let running: Upload | undefined;
  const listeners = new Set<() => void>();
  const set = (next: ApkUpload) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const finish = async (file: Chosen, id: string) => {
    const answer = await calls.get({ params: { id } });
    if (answer.error !== undefined) return set({ kind: 'failed', file, message: answer.message, mayGoOn: true });
    set({ kind: 'done', app: answer.data });
    await appAdded();
  };

  const fail = (upload: Upload, file: Chosen, error: Error) => {
    const response = responseOf(error);
    const failure: Failure = response ? failureOf(response) : { code: 0, error: 'NETWORK', message: 'Network Error' };
    api.settle(failure);
    const mayGoOn = !response || PASSING.has(response.getStatus());
    if (running === upload) set({ kind: 'failed', file, message: failure.message, mayGoOn });
  };

  const start = (file: File) => {
    const chosen: Chosen = { name: file.name, size: file.size };
    const upload: Upload = new Upload(file, {
      endpoint: endpoint(),
      metadata: { kind: APP_UPLOAD_KIND, filename: file.name },
      chunkSize: FIRST_PIECE,
      retryDelays: TRIES,
      storeFingerprintForResuming: false,
      onBeforeRequest: authorize,
      onAfterResponse: read,
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus();
        return status === undefined || PASSING.has(status);
      },
      onChunkComplete: () => {
        upload.options.chunkSize = Number.POSITIVE_INFINITY;
      },
      onProgress: (sent) => {
        if (running === upload) set({ kind: 'sending', file: chosen, sent });
      },
      onSuccess: ({ lastResponse }) => {
        if (running === upload) void finish(chosen, fileIdOf(lastResponse, upload.url));
      },
      onError: (error) => fail(upload, chosen, error),
    });
    running = upload;
    set({ kind: 'sending', file: chosen, sent: 0 });
    upload.start();
  };

  const stop = () => {
    const upload = running;
    running = undefined;
    // What cannot be taken off the server now goes by itself after a day.
    void upload?.abort(state.kind !== 'done').catch(() => undefined);
    set({ kind: 'none' });
  };

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot: (): ApkUpload => state,
    /** Sends a file; `maxBytes` is the installation's limit. */
    choose(file: File, maxBytes: number): void {
      stop();
      const message = refusalOf(file, maxBytes);
      if (message === undefined) return start(file);
      set({ kind: 'failed', file: { name: file.name, size: file.size }, message, mayGoOn: false });
    },
    /** Goes on from what arrived. */
    again(): void {
      if (state.kind !== 'failed' || !running) return;
      set({ kind: 'sending', file: state.file, sent: 0 });
      running.start();
    },
    stop,
  };
}

export const apkUpload = makeApkUpload();

// Whoever signs in next sends their own.
session.subscribe(() => {
  if (!session.snapshot().signedIn && apkUpload.snapshot().kind !== 'none') apkUpload.stop();
});

export const useApkUpload = (): ApkUpload => useSyncExternalStore(apkUpload.subscribe, apkUpload.snapshot);
