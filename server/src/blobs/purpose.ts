import { AppError } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import type { z } from 'zod';
import type { AuditActor } from '../platform/auth/audit.ts';
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
  /** The result of `admit`. */
  metadata: Record<string, string>;
  uploader: string;
  /** The person who began it for the uploader's account, as far as this is known. */
  person: AuditActor['person'];
  /** Its bytes as a local file, for programs that need one. */
  borrow(): Promise<LocalFile>;
  /** Makes its bytes the blob `sha256`, unless an earlier try did. */
  settle(): Promise<void>;
}

/**
 * The purpose of an upload: it decides what the received bytes become. An error that a purpose throws as an
 * `AppError` is final, unless it is `UNAVAILABLE`: nothing of the upload is kept.
 */
export interface UploadPurpose {
  /** The `kind` in the metadata that selects it; without one, the first purpose is used. */
  name: string;
  /** No upload for this purpose is larger. */
  maxBytes: number;
  /** Checks an upload of `size` bytes before its first byte and returns the metadata to store with it. */
  admit(viewer: Viewer, sent: SentMetadata, size: number): Promise<Record<string, string>>;
  /** Throws if there is no space for `bytes` more; runs in the transaction that stores the upload. */
  reserve?(db: Db, metadata: Record<string, string>, bytes: number): Promise<void>;
  /** Throws if content with these first bytes does not fit this purpose. */
  judge(upload: { metadata: Record<string, string>; size: number }, head: Buffer): void;
  /** Creates the result of a complete upload; called again after a crash at any point. */
  keep(upload: CompleteUpload): Promise<void>;
  /** Size in bytes of an upload of `uploader` that was kept. */
  sizeOfKept(uploader: string, id: string): Promise<number | undefined>;
}

/** The purposes of uploads; the first one is used if the metadata names none. */
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
