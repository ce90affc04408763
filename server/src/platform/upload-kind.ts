import { AppError } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import type { z } from 'zod';
import type { Viewer } from './auth/auth.ts';
import type { LocalFile } from './blobs.ts';
import type { Db } from './database/database.ts';

/** A tus `Upload-Metadata` header, decoded. */
export type Wishes = Record<string, string | null>;

/** An upload whose bytes are all there. */
export interface CompleteUpload {
  /** Also the id of what it becomes, so that keeping it twice changes nothing. */
  id: string;
  bytes: number;
  sha256: string;
  /** What `admit` answered. */
  metadata: Record<string, string>;
  uploader: string;
  /** Its bytes as a local file, for programs that need one. */
  borrow(): Promise<LocalFile>;
  /** Makes its bytes the blob `sha256`, unless an earlier try did. */
  settle(): Promise<void>;
}

/**
 * What one kind of upload makes of the bytes that all kinds take in alike. Whatever a kind throws as an
 * `AppError` is final: nothing of the upload is kept.
 */
export interface UploadKind {
  /** The `kind` in the metadata that asks for it. */
  name: string;
  /** No upload of this kind is larger. */
  maxBytes: number;
  /** Checks all that can be known before the first byte; answers what to remember with the upload. */
  admit(viewer: Viewer, wishes: Wishes, length: string | undefined): Promise<Record<string, string>>;
  /** Throws when there is no room for `bytes` more; in the transaction that notes the upload. */
  reserve?(db: Db, metadata: Record<string, string>, bytes: number): Promise<void>;
  /** Throws when bytes that begin so cannot be of this kind. */
  judge(metadata: Record<string, string>, head: Buffer): void;
  /** Makes of a complete upload what it was sent for; after a crash at any point it is asked to again. */
  keep(upload: CompleteUpload): Promise<void>;
  /** Size in bytes of an upload of `uploader` that was kept. */
  sizeOfKept(uploader: string, id: string): Promise<number | undefined>;
}

/** Metadata that breaks a schema's rules, as an error of the catalogue. */
export function refuseMetadata(error: z.ZodError): AppError {
  const fields = error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    rule: Object.hasOwn(messages.rules, issue.message) ? issue.message : 'invalid',
  }));
  return new AppError('INVALID', { fields });
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;

export const inWords = (bytes: number): string =>
  bytes % GIB === 0 ? `${bytes / GIB} GB` : `${Math.floor(bytes / MIB)} MB`;

/** Throws `TOO_LARGE` for an announced length above `limit` bytes; a malformed one is left to tus. */
export function requireLength(length: string | undefined, limit: number): void {
  if (Number(length) > limit) throw new AppError('TOO_LARGE', { limit: inWords(limit) });
}
