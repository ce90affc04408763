import type { Failure } from '@ams/contract';
import i18next from 'i18next';
import { createStore } from 'zustand/vanilla';
import { nextPace, startPace } from '../../platform/transfer/pace.ts';
import { isFinal } from '../../platform/transfer/retry.ts';
import type { Transfer, TransferEvents } from '../../platform/transfer/transfer.ts';
import { type UploadLimits, checkFile } from './check.ts';
import {
  type Target,
  type UploadGoal,
  type UploadItem,
  type UploadState,
  isPending,
  isRunning,
  isUnfinished,
  sameTarget,
} from './item.ts';

/** Dependencies of the list of uploads. */
export interface UploadPorts {
  start: (item: UploadItem, events: TransferEvents) => Transfer;
  /** Whether the browser can read the file at all. */
  readable: (file: File) => Promise<boolean>;
  /** Milliseconds since 1970. */
  now: () => number;
  onDone: (item: UploadItem) => void;
  /** Takes what arrived of an upload off the server. */
  discard: (item: UploadItem) => Promise<void>;
}

/** Maximum number of parallel uploads; the others wait. */
const AT_ONCE = 2;

const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/**
 * The uploads of this tab. They live outside the pages, so that going elsewhere in the app changes
 * nothing. Items are replaced, never changed.
 */
export function makeUploads(ports: UploadPorts) {
  const store = createStore<readonly UploadItem[]>(() => []);
  const all = store.getState;
  let limits: UploadLimits | undefined;
  let count = 0;
  const transfers = new Map<string, Transfer>();

  const set = (next: readonly UploadItem[]) => store.setState(next, true);
  const find = (id: string) => all().find((item) => item.id === id);
  const change = (id: string, changes: Partial<UploadItem>) =>
    set(all().map((item) => (item.id === id ? { ...item, ...changes } : item)));
  const become = (id: string, state: UploadState) => change(id, { state });

  const end = (id: string, state: UploadState) => {
    transfers.delete(id);
    become(id, state);
    pump();
  };

  const eventsOf = (id: string): TransferEvents => ({
    onProgress: (sent) => {
      const item = find(id);
      if (item?.state.kind !== 'uploading') return;
      const pace = item.state.interrupted ? startPace(ports.now(), sent) : nextPace(item.state.pace, ports.now(), sent);
      change(id, { sent, state: { kind: 'uploading', pace, interrupted: false } });
    },
    onInterrupted: () => {
      const item = find(id);
      if (item?.state.kind === 'uploading') become(id, { ...item.state, interrupted: true });
    },
    onDone: (fileId) => {
      end(id, { kind: 'done', fileId });
      const item = find(id);
      if (item) ports.onDone(item);
    },
    onFailed: (failure: Failure) => {
      // Without a session it was paused already.
      if (find(id)?.state.kind === 'uploading') {
        end(id, { kind: 'failed', message: failure.message, final: isFinal(failure) });
      }
    },
    onUnreadable: () =>
      end(id, { kind: 'failed', message: i18next.t('refusedUnreadable', { ns: 'files' }), final: false }),
    onElsewhere: () => end(id, { kind: 'refused', refusal: { kind: 'elsewhere' } }),
  });

  /** Starts what waits, as far as there is room. */
  function pump(): void {
    const waiting = all().filter(({ state }) => state.kind === 'queued');
    for (const item of waiting.slice(0, Math.max(0, AT_ONCE - transfers.size))) {
      become(item.id, { kind: 'uploading', pace: startPace(ports.now(), item.sent), interrupted: false });
      transfers.set(item.id, ports.start(item, eventsOf(item.id)));
    }
  }

  async function check(id: string): Promise<void> {
    const item = find(id);
    if (!item || !limits) return;
    const others = all().filter((other) => other.id !== id && other.by === item.by && isPending(other)).length;
    const { size } = item.file;
    const refusal = checkFile({ name: item.name, size }, item.target.media, limits, limits.maxFiles - others);
    if (refusal) return become(id, { kind: 'refused', refusal });
    become(id, { kind: 'checking' });
    const readable = await ports.readable(item.file);
    if (find(id)?.state.kind !== 'checking') return;
    become(id, readable ? { kind: 'queued' } : { kind: 'refused', refusal: { kind: 'unreadable' } });
    pump();
  }

  const stop = (id: string) => {
    transfers.get(id)?.stop();
    transfers.delete(id);
  };

  /** Resumes an upload that was paused, and tries again one that failed or was refused. */
  const resume = (id: string): void => {
    const item = find(id);
    if (!item || isRunning(item)) return;
    if (item.state.kind === 'refused') return void check(id);
    become(id, { kind: 'queued' });
    pump();
  };

  return {
    store,
    snapshot: store.getState,

    /**
     * Takes chosen files over; one that failed before is tried again in its place: both would send, or remove, the same
     * upload. Answers how many were left out because they are in the list already.
     */
    add(files: readonly File[], by: string, target: Target, given: UploadLimits): number {
      limits = given;
      const own = all().filter((item) => item.by === by && isUnfinished(item) && sameTarget(item.target, target));
      let twice = 0;
      for (const file of files) {
        const listed = own.find((item) => isSameFile(item.file, file));
        if (!listed) {
          const id = String(++count);
          set([...all(), { id, by, target, file, name: file.name, sent: 0, state: { kind: 'checking' } }]);
          void check(id);
        } else if (listed.state.kind === 'failed') {
          change(listed.id, { file });
          resume(listed.id);
        } else twice += 1;
      }
      return twice;
    },
    pause(id: string): void {
      stop(id);
      become(id, { kind: 'paused' });
      pump();
    },
    resume,
    rename(id: string, name: string): void {
      change(id, { name });
      void check(id);
    },
    /** Takes a file off the list, and what arrived of it off the server. */
    async remove(id: string): Promise<void> {
      const item = find(id);
      stop(id);
      set(all().filter((other) => other.id !== id));
      pump();
      if (item && isUnfinished(item)) await ports.discard(item);
    },
    /** Drops what is done or was refused. */
    clearFinished(target: UploadGoal): void {
      set(all().filter((item) => isUnfinished(item) || !sameTarget(item.target, target)));
    },
    /** The session ended: nothing is sent for now. The next user sees only their own uploads. */
    pauseAll(): void {
      for (const { id } of all().filter(isRunning)) {
        stop(id);
        become(id, { kind: 'paused' });
      }
    },
  };
}

export type Uploads = ReturnType<typeof makeUploads>;
