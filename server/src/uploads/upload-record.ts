import { Metadata } from '@tus/server';
import { z } from 'zod';
import type { Wishes } from './purpose.ts';

/** A new upload: owner, purpose, and data of the purpose. */
export interface UploadRecord {
  purpose: string;
  uploader: string;
  metadata: Record<string, string>;
}

const Stored = z.object({ purpose: z.string(), uploader: z.string() }).catchall(z.string());

/** Reads back what `encodeRecord` passed through tus. */
export function storedRecord(stored: Wishes | undefined): UploadRecord {
  const { purpose, uploader, ...metadata } = Stored.parse(stored);
  return { purpose, uploader, metadata };
}

export const encodeRecord = ({ metadata, purpose, uploader }: UploadRecord): Record<string, string> => ({
  ...metadata,
  purpose,
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
