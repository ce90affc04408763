import { AppError } from '@ams/contract';
import type { Deps } from '../platform/deps.ts';
import type { UploadKind } from '../platform/upload-kind.ts';
import { encodeRecord, storedRecord, type UploadRecord } from './upload-record.ts';
import type { UploadStore } from './upload-store.ts';

interface Identified {
  record: UploadRecord;
  bytes: number;
  sha256: string;
}

/** Notes the hash with the upload: from here on its bytes may be in either place. */
async function identify(store: UploadStore, id: string): Promise<Identified> {
  const upload = await store.configstore.get(id);
  if (upload?.size === undefined) throw new AppError('NOT_FOUND');
  const record = storedRecord(upload.metadata);
  if (record.sha256) return { record, bytes: upload.size, sha256: record.sha256 };
  const sha256 = await store.hash(id, upload.size);
  upload.metadata = encodeRecord({ ...record, sha256 });
  await store.configstore.set(id, upload);
  return { record, bytes: upload.size, sha256 };
}

/** Its own bytes, or those that an earlier try put into their place. */
const fileOf = async ({ blobs }: Deps, store: UploadStore, id: string, sha256: string): Promise<string> =>
  (await store.has(id)) ? store.pathOf(id) : blobs.localPath(sha256);

/**
 * Turns complete uploads into what they were sent for. That has the id of its upload, so that doing it
 * again — after a crash at any point, or because the answer was lost — changes nothing.
 */
export function makeFinisher(
  deps: Deps,
  store: UploadStore,
  kindOf: (name: string) => UploadKind,
): (id: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const finish = async (id: string): Promise<void> => {
    const { record, bytes, sha256 } = await identify(store, id);
    const file = await fileOf(deps, store, id, sha256);
    try {
      await kindOf(record.kind).keep({
        ...{ id, bytes, sha256, file },
        ...{ metadata: record.metadata, uploader: record.uploader },
      });
    } catch (error) {
      if (error instanceof AppError) await store.remove(id);
      throw error;
    }
    await store.remove(id);
  };
  return (id) => {
    const current = running.get(id) ?? finish(id).finally(() => running.delete(id));
    running.set(id, current);
    return current;
  };
}
