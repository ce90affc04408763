import { type MediaStore, type Part, StorageError } from '../sync/ports.ts';
import type { MediaAnswer, MediaRequest, MediaResult } from './media.messages.ts';

type Ask = <R extends MediaRequest>(
  request: R,
  transfer?: Transferable[],
) => Promise<R['call'] extends keyof MediaResult ? MediaResult[R['call']] : void>;

/** Calls to the worker, each with a number under which its answer comes back. */
function connect(worker: Worker): Ask {
  const waiting = new Map<number, (answer: MediaAnswer) => void>();
  let count = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<MediaAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  // The worker did not even load: nothing asked of it will ever be answered.
  worker.addEventListener('error', ({ message }) => {
    for (const [id, settle] of waiting) settle({ id, ok: false, reason: 'storage', message });
    waiting.clear();
  });
  return (request, transfer = []) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, (answer) => {
        // The worker answers each call as `MediaResult` says.
        if (answer.ok) resolve(answer.value as Awaited<ReturnType<Ask>> as never);
        else reject(new StorageError(answer.reason, answer.message));
      });
      worker.postMessage({ id: count, request }, transfer);
    });
}

async function openPart(ask: Ask, sha256: string): Promise<Part> {
  const opened = await ask({ call: 'open', sha256 });
  const { part } = opened;
  let bytes = opened.bytes;
  let open = true;
  const ending = async (call: 'commit' | 'discard' | 'close') => {
    if (!open) return;
    open = false;
    await ask({ call, part });
  };
  return {
    get bytes() {
      return bytes;
    },
    async append(chunk) {
      bytes = await ask({ call: 'append', part, chunk }, [chunk.buffer]);
    },
    async restart() {
      await ask({ call: 'restart', part });
      bytes = 0;
    },
    digest: () => ask({ call: 'digest', part }),
    commit: () => ending('commit'),
    discard: () => ending('discard'),
    close: () => ending('close'),
  };
}

async function freeBytes(): Promise<number | undefined> {
  const { quota, usage } = await navigator.storage.estimate();
  return quota === undefined ? undefined : quota - (usage ?? 0);
}

/** Media in OPFS, written by a worker. Undefined where the platform has none (an insecure context). */
export function openMediaStore(): MediaStore | undefined {
  if (!isSecureContext || !navigator.storage?.getDirectory) return undefined;
  const worker = new Worker(new URL('./media.worker.ts', import.meta.url), { type: 'module' });
  const ask = connect(worker);
  void navigator.storage.persist();
  return {
    list: () => ask({ call: 'list' }),
    openPart: (sha256) => openPart(ask, sha256),
    drop: (sha256) => ask({ call: 'drop', sha256 }),
    freeBytes,
  };
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
