import { AppError } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import type { LocalFile } from './blobs.ts';
import type { Db } from '../platform/database/database.ts';
import { sizeInWords } from '../platform/http/size.ts';

/** Number of first bytes kept with an upload for `judge`: enough to recognize every accepted format. */
export const HEAD_BYTES = 16;

/** A tus `Upload-Metadata` header, decoded; a key without a value has null. */
export type SentMetadata = Record<string, string | null>;

/** An upload whose bytes are all there. */
export interface CompleteUpload {
  /** Also the id of what it becomes, so that keeping it twice changes nothing. */
  id: string;
  bytes: number;
  /** Its first bytes, at most `HEAD_BYTES`. */
  head: Buffer;
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
 * What an upload is for: what becomes of bytes that arrive in the same way for all. Whatever a purpose throws as an
 * `AppError` is final: nothing of the upload is kept.
 */
export interface UploadPurpose {
  /** The `kind` in the metadata that asks for it; the first of the purposes is meant without one. */
  name: string;
  /** No upload for this purpose is larger. */
  maxBytes: number;
  /** Checks all that can be known of `size` bytes before the first one; answers what to store with the upload. */
  admit(viewer: Viewer, sent: SentMetadata, size: number): Promise<Record<string, string>>;
  /** Throws when there is no room for `bytes` more; in the transaction that notes the upload. */
  reserve?(db: Db, metadata: Record<string, string>, bytes: number): Promise<void>;
  /** Throws when bytes that begin so cannot be for this purpose. */
  judge(upload: { metadata: Record<string, string>; size: number }, head: Buffer): void;
  /** Makes of a complete upload what it was sent for; after a crash at any point it is asked to again. */
  keep(upload: CompleteUpload): Promise<void>;
  /** Size in bytes of an upload of `uploader` that was kept. */
  sizeOfKept(uploader: string, id: string): Promise<number | undefined>;
}

/** What uploads are for; the first is meant where the metadata names none. */
export type Purposes = readonly [UploadPurpose, ...UploadPurpose[]];

/** Metadata that breaks a schema's rules, as an error of the catalogue. */
export function refuseMetadata(error: z.ZodError): AppError {
  const fields = error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    rule: Object.hasOwn(messages.rules, issue.message) ? issue.message : 'invalid',
  }));
  return new AppError('INVALID', { fields });
}

/** Throws `TOO_LARGE` for more than `limit` bytes. */
export function requireSize(bytes: number, limit: number): void {
  if (bytes > limit) throw new AppError('TOO_LARGE', { limit: sizeInWords(limit) });
}
