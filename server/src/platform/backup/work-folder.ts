import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';

/** A new folder whose name begins with `prefix`. It is removed when it is disposed of, or when the process exits. */
export async function makeWorkFolder(prefix: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(prefix);
  // A file may be created while the folder is being removed.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 };
  const removeNow = (): void => rmSync(path, options);
  process.once('exit', removeNow);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await rm(path, options);
      process.off('exit', removeNow);
    },
  };
}
