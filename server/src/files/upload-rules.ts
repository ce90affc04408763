import { AppError, extensionOf, formatsOf, materialKind, type Media, UploadMetadata } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import { Metadata } from '@tus/server';
import { z } from 'zod';
import type { Config } from '../config.ts';

/** What is kept with an unfinished upload: the checked wishes of its creator, and who that is. */
const Stored = z.object({
  name: z.string(),
  screen: z.coerce.number().pipe(z.union([z.literal(1), z.literal(2)])),
  type: z.coerce.number(),
  owner: z.string(),
  uploader: z.string(),
  /** There once the upload is complete and hashed. */
  sha256: z.string().optional(),
});
export type StoredMetadata = z.output<typeof Stored>;

/** Reads back what `encodeMetadata` stored. */
export const storedMetadata = (metadata: Record<string, string | null> | undefined): StoredMetadata =>
  Stored.parse(metadata);

export const encodeMetadata = (metadata: StoredMetadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]),
  );

/** The media that the kind of an unfinished upload asks for. */
export function mediaOf(metadata: Record<string, string | null> | undefined): Media {
  const { screen, type } = storedMetadata(metadata);
  const kind = materialKind(screen, type);
  if (!kind) throw new AppError('NOT_FOUND');
  return kind.media;
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;

const inWords = (bytes: number): string => (bytes % GIB === 0 ? `${bytes / GIB} GB` : `${Math.floor(bytes / MIB)} MB`);

function decodeMetadata(header: string | undefined): Record<string, string | null> {
  try {
    return Metadata.parse(header);
  } catch {
    return {};
  }
}

function parseMetadata(header: string | undefined): UploadMetadata {
  const { name, filename, screen, type, owner } = decodeMetadata(header);
  const given = { name: name ?? filename ?? '', screen, type, ...(owner && { owner }) };
  const parsed = UploadMetadata.safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    rule: Object.hasOwn(messages.rules, issue.message) ? issue.message : 'invalid',
  }));
  throw new AppError('INVALID', { fields });
}

/**
 * Checks all that can be known of an upload before its first byte (`Upload-Metadata`, `Upload-Length`).
 * Throws `INVALID`, `UNSUPPORTED_FORMAT` or `TOO_LARGE`. A missing or malformed length is left to tus.
 */
export function checkCreation(
  header: string | undefined,
  length: string | undefined,
  limits: Config['upload'],
): UploadMetadata {
  const metadata = parseMetadata(header);
  const media = materialKind(metadata.screen, metadata.type)?.media ?? 'image';
  const formats = formatsOf(media);
  if (!formats.includes(extensionOf(metadata.name)) || length === '0') {
    throw new AppError('UNSUPPORTED_FORMAT', { t: formats.join(', ') });
  }
  const limit = media === 'image' ? limits.maxImageBytes : limits.maxVideoBytes;
  if (Number(length) > limit) throw new AppError('TOO_LARGE', { limit: inWords(limit) });
  return metadata;
}
