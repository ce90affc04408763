import { type MediaStore, type Part, StorageError } from './ports.ts';
import type { MediaAnswer, MediaCall, MediaCalls } from './media.messages.ts';

type Ask = <C extends MediaCall>(
  call: C,
  asks: MediaCalls[C]['asks'],
  transfer?: Transferable[],
) => Promise<MediaCalls[C]['answers']>;

/** Calls to a worker, each with a number under which its answer comes back. */
function connect(): Ask {
  const waiting = new Map<number, (answer: MediaAnswer) => void>();
  let count = 0;
  let worker: Worker | undefined;
  const start = (): Worker => {
    const started = new Worker(new URL('./media.worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<MediaAnswer>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    // It did not even load, and will never answer: the next call starts another one.
    started.addEventListener('error', ({ message }) => {
      started.terminate();
      worker = undefined;
      for (const [id, settle] of waiting) settle({ id, ok: false, reason: 'storage', message });
      waiting.clear();
    });
    return started;
  };
  return <C extends MediaCall>(call: C, asks: MediaCalls[C]['asks'], transfer: Transferable[] = []) =>
    new Promise<MediaCalls[C]['answers']>((resolve, reject) => {
      count += 1;
      waiting.set(count, (answer) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker's results have the types of `MediaCalls`
        if (answer.ok) resolve(answer.value as MediaCalls[C]['answers']);
        else reject(new StorageError(answer.reason, answer.message));
      });
      worker ??= start();
      worker.postMessage({ id: count, call, asks }, transfer);
    });
}

async function openPart(ask: Ask, sha256: string): Promise<Part> {
  const opened = await ask('open', { sha256 });
  const { part } = opened;
  let bytes = opened.bytes;
  let open = true;
  const ending = async (call: 'commit' | 'discard' | 'close') => {
    if (!open) return;
    open = false;
    await ask(call, { part });
  };
  return {
    get bytes() {
      return bytes;
    },
    async append(chunk) {
      bytes = await ask('append', { part, chunk }, [chunk.buffer]);
    },
    async restart() {
      await ask('restart', { part });
      bytes = 0;
    },
    digest: () => ask('digest', { part }),
    commit: () => ending('commit'),
    discard: () => ending('discard'),
    close: () => ending('close'),
  };
}

async function freeBytes(): Promise<number | undefined> {
  const { quota, usage } = await navigator.storage.estimate();
  return quota === undefined ? undefined : quota - (usage ?? 0);
}

export type MediaAccess =
  | { kind: 'ready'; store: MediaStore }
  /** Plain http: no browser stores files there. */
  | { kind: 'insecure' }
  /** The browser may store files and will not: a setting, a broken profile. */
  | { kind: 'refused'; message: string };

/** Media in OPFS, written by a worker. */
export async function openMediaStore(): Promise<MediaAccess> {
  if (!isSecureContext) return { kind: 'insecure' };
  try {
    // A storage that has broken down still opens, and fails as soon as it is used.
    await (await navigator.storage.getDirectory()).getDirectoryHandle('media', { create: true });
  } catch (error) {
    return { kind: 'refused', message: String(error) };
  }
  const ask = connect();
  void navigator.storage.persist().catch(() => undefined);
  const store = {
    list: () => ask('list', null),
    openPart: (sha256: string) => openPart(ask, sha256),
    check: (sha256: string) => ask('check', { sha256 }),
    drop: (sha256: string) => ask('drop', { sha256 }),
    freeBytes,
  };
  return { kind: 'ready', store };
}

/** A checked file on disk as a `File`, whose bytes are read only as they are played; undefined when it is not there. */
export async function storedFile(sha256: string): Promise<File | undefined> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('media');
    return await (await folder.getFileHandle(sha256)).getFile();
  } catch {
    return undefined;
  }
}
