import { Worker } from 'node:worker_threads';
import { AppError, type ErrorName } from '@ams/contract';
import type { ApkAnswer, ApkFacts } from './apk.worker.ts';
import type { SignatureFault } from './signature/signature.ts';

const READ_MAX_MS = 30_000;
const HEAP_MAX_MB = 256;

const FAULTS = {
  unsigned: 'APK_UNSIGNED',
  broken: 'APK_SIGNATURE_BROKEN',
  unsupported: 'APK_SIGNATURE_UNSUPPORTED',
} as const satisfies Record<SignatureFault, ErrorName>;

/** An archive begins with its first file's header (PKWARE APPNOTE 4.3.7). */
export const looksLikeApk = (head: Buffer): boolean => head.readUInt32BE(0) === 0x504b0304;

/**
 * What an APK says of itself. Read in a thread of its own, for a file made to harm may keep its reader
 * busy for ever or break it. Throws `NOT_AN_APK`, `APK_UNSIGNED`, `APK_SIGNATURE_BROKEN` or `APK_SIGNATURE_UNSUPPORTED`.
 */
export async function readApk(file: string): Promise<ApkFacts> {
  const worker = new Worker(new URL('apk.worker.ts', import.meta.url), {
    workerData: { file },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  });
  const { promise, resolve } = Promise.withResolvers<ApkAnswer>();
  const giveUp = (): void => resolve({ kind: 'none' });
  const timer = setTimeout(giveUp, READ_MAX_MS);
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp);
  const answer = await promise.finally(() => clearTimeout(timer));
  await worker.terminate();
  if (answer.kind === 'none') throw new AppError('NOT_AN_APK');
  if (answer.kind === 'fault') throw new AppError(FAULTS[answer.fault]);
  return answer.facts;
}
