import { AppError, type ErrorName } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { ApkAnswer, ApkFacts } from '../platform/sandbox/answers.ts';
import { parseContent } from '../platform/sandbox/parse-content.ts';

type Fault = Extract<ApkAnswer, { kind: 'fault' }>['fault'];

const FAULTS = {
  unsigned: 'APK_UNSIGNED',
  broken: 'APK_SIGNATURE_BROKEN',
  unsupported: 'APK_SIGNATURE_UNSUPPORTED',
} as const satisfies Record<Fault, ErrorName>;

/** An archive begins with its first file's header (PKWARE APPNOTE 4.3.7). */
export const looksLikeApk = (head: Buffer): boolean => head.readUInt32BE(0) === 0x504b0304;

/**
 * Reads an APK's facts. Throws `NOT_AN_APK`, `APK_UNSIGNED`, `APK_SIGNATURE_BROKEN` or `APK_SIGNATURE_UNSUPPORTED`.
 */
export async function readApk(
  deps: Pick<Deps, 'db' | 'processId' | 'sandbox'>,
  sha256: string,
  file: string,
): Promise<ApkFacts> {
  const answer = await parseContent(deps, 'apk', sha256, { file });
  if (answer?.kind === 'apk') return answer.facts;
  throw new AppError(answer?.kind === 'fault' ? FAULTS[answer.fault] : 'NOT_AN_APK');
}
