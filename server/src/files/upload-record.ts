import { Metadata } from '@tus/server';
import { z } from 'zod';
import type { Wishes } from '../platform/upload-kind.ts';

/** What a new upload is: whose it is, of which kind, and what that kind wants remembered. */
export interface UploadRecord {
  kind: string;
  uploader: string;
  metadata: Record<string, string>;
}

/** The kind of an upload that names none. */
export const DEFAULT_KIND = 'file';

const Stored = z.object({ kind: z.string(), uploader: z.string() }).catchall(z.string());

/** Reads back what `encodeRecord` passed through tus. */
export function storedRecord(stored: Wishes | undefined): UploadRecord {
  const { kind, uploader, ...metadata } = Stored.parse(stored);
  return { kind, uploader, metadata };
}

export const encodeRecord = ({ metadata, kind, uploader }: UploadRecord): Record<string, string> => ({
  ...metadata,
  kind,
  uploader,
});

/** An `Upload-Metadata` header; one that is malformed says nothing. */
export function decodeWishes(header: string | undefined): Wishes {
  try {
    return Metadata.parse(header);
  } catch {
    return {};
  }
}
