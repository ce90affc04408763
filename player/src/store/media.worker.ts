/// <reference lib="webworker" />
import { createSHA256 } from 'hash-wasm';
import { type RawFile, digestOf, openPartOf } from './part.ts';
import { type Part, StorageError, type StoredFile } from './ports.ts';
import type { MediaAnswer, MediaRequest } from './media.messages.ts';

/** Files in OPFS: `parts/<sha256>` while they come, `media/<sha256>` once checked. */
const folder = async (name: 'parts' | 'media') =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });

// TypeScript's DOM library does not know it yet: https://fs.spec.whatwg.org/#dom-filesystemhandle-move
interface Movable {
  move(parent: FileSystemDirectoryHandle, name: string): Promise<void>;
}
const isMovable = (handle: FileSystemFileHandle): handle is FileSystemFileHandle & Movable => 'move' in handle;

const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';

const unlessMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error;
};

async function remove(name: 'parts' | 'media', sha256: string): Promise<void> {
  const directory = await folder(name);
  await directory.removeEntry(sha256).catch(unlessMissing);
}

async function openRaw(sha256: string): Promise<RawFile> {
  const parts = await folder('parts');
  const handle = await parts.getFileHandle(sha256, { create: true });
  const access = await handle.createSyncAccessHandle();
  return {
    size: () => access.getSize(),
    read: (into, at) => access.read(into, { at }),
    write: (chunk, at) => access.write(chunk, { at }),
    truncate: (size) => access.truncate(size),
    close() {
      access.flush();
      access.close();
    },
    async rename() {
      if (!isMovable(handle)) throw new StorageError('storage');
      await handle.move(await folder('media'), sha256);
    },
    remove: () => parts.removeEntry(sha256),
  };
}

async function listFolder(name: 'parts' | 'media'): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const [sha256, handle] of (await folder(name)).entries()) {
    if (!(handle instanceof FileSystemFileHandle)) continue;
    // A part that is being written is locked, but its size may be read.
    const file = await handle.getFile().catch(unlessMissing);
    // Renamed or deleted since it was listed.
    if (!file) continue;
    found.push({ sha256, bytes: file.size, state: name === 'media' ? 'whole' : 'part', at: file.lastModified });
  }
  return found;
}

const open = new Map<number, Part>();
let parts = 0;

async function openPart(sha256: string): Promise<{ part: number; bytes: number }> {
  const part = await openPartOf(await openRaw(sha256), await createSHA256());
  parts += 1;
  open.set(parts, part);
  return { part: parts, bytes: part.bytes };
}

async function withPart(id: number, call: 'restart' | 'digest' | 'commit' | 'discard' | 'close') {
  const part = open.get(id);
  if (!part) throw new StorageError('storage');
  if (call === 'commit' || call === 'discard' || call === 'close') open.delete(id);
  return part[call]();
}

async function check(sha256: string): Promise<'sound' | 'damaged' | 'missing'> {
  const hasher = await createSHA256();
  try {
    const file = await (await (await folder('media')).getFileHandle(sha256)).getFile();
    return (await digestOf(file.stream(), hasher)) === sha256 ? 'sound' : 'damaged';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'damaged';
  }
}

async function answer(request: MediaRequest): Promise<unknown> {
  switch (request.call) {
    case 'list':
      return [...(await listFolder('media')), ...(await listFolder('parts'))];
    case 'open':
      return openPart(request.asks.sha256);
    case 'append': {
      const part = open.get(request.asks.part);
      if (!part) throw new StorageError('storage');
      await part.append(request.asks.chunk);
      return part.bytes;
    }
    case 'check':
      return check(request.asks.sha256);
    case 'drop':
      await remove('media', request.asks.sha256);
      return remove('parts', request.asks.sha256);
    default:
      return withPart(request.asks.part, request.call);
  }
}

addEventListener('message', ({ data }: MessageEvent<MediaRequest>) => {
  const { id } = data;
  const reply = (message: MediaAnswer) => postMessage(message);
  answer(data).then(
    (value) => reply({ id, ok: true, value }),
    (error: unknown) =>
      reply({
        id,
        ok: false,
        reason: error instanceof StorageError ? error.reason : 'storage',
        message: String(error),
      }),
  );
});
