import { Metadata } from '@tus/server';
import { z } from 'zod';
import type { Wishes } from '../platform/upload-kind.ts';

/** What is kept with an unfinished upload: whose it is, of which kind, and what that kind wants remembered. */
export interface UploadRecord {
  kind: string;
  uploader: string;
  /** There once the upload is complete and hashed. */
  sha256: string | undefined;
  metadata: Record<string, string>;
}

/** The kind of an upload that names none. */
export const DEFAULT_KIND = 'file';

const Stored = z
  .object({ kind: z.string().default(DEFAULT_KIND), uploader: z.string(), sha256: z.string().optional() })
  .catchall(z.string());

/** Reads back what `encodeRecord` stored. */
export function storedRecord(stored: Wishes | undefined): UploadRecord {
  const { kind, uploader, sha256, ...metadata } = Stored.parse(stored);
  return { kind, uploader, sha256, metadata };
}

export const encodeRecord = ({ metadata, kind, uploader, sha256 }: UploadRecord): Record<string, string> => ({
  ...metadata,
  kind,
  uploader,
  ...(sha256 !== undefined && { sha256 }),
});

/** An `Upload-Metadata` header; one that is malformed says nothing. */
export function decodeWishes(header: string | undefined): Wishes {
  try {
    return Metadata.parse(header);
  } catch {
    return {};
  }
}
