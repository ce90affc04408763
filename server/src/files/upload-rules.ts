import {
  AppError,
  extensionOf,
  formatsOf,
  fileKind,
  KindNumber,
  type Media,
  Orientation,
  UploadMetadata,
} from '@ams/contract';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { refuseMetadata, requireLength, type Wishes } from '../uploads/purpose.ts';

/** Data of an unfinished file upload: its validated metadata. */
const Material = z.object({
  name: z.string(),
  orientation: Orientation,
  kind: z.coerce.number().pipe(KindNumber),
  owner: z.string(),
});
export type Material = z.output<typeof Material>;

export const materialOf = (metadata: Record<string, string>): Material => Material.parse(metadata);

export const encodeMaterial = ({ name, orientation, kind, owner }: Material): Record<string, string> => ({
  name,
  orientation,
  kind: String(kind),
  owner,
});

/** The media that the kind of an unfinished upload asks for. */
export function mediaOf({ orientation, kind }: Pick<Material, 'orientation' | 'kind'>): Media {
  const row = fileKind(orientation, kind);
  if (!row) throw new AppError('NOT_FOUND');
  return row.media;
}

/** The types a media may have, as the answer to a refused file names them. */
export const unsupported = (media: Media): AppError =>
  new AppError('UNSUPPORTED_FORMAT', { t: formatsOf(media).join(', ') });

function parseMetadata({ name, filename, orientation, kind, owner }: Wishes): UploadMetadata {
  const given = { name: name ?? filename ?? '', orientation, kind, ...(owner && { owner }) };
  const parsed = UploadMetadata.safeParse(given);
  if (!parsed.success) throw refuseMetadata(parsed.error);
  return parsed.data;
}

const MAX_BYTES = { image: 'maxImageBytes', video: 'maxVideoBytes' } as const satisfies Record<
  Media,
  keyof Config['upload']
>;

/**
 * Checks all that can be known of an upload before its first byte (`Upload-Metadata`, `Upload-Length`).
 * Throws `INVALID`, `UNSUPPORTED_FORMAT` or `TOO_LARGE`. A missing or malformed length is left to tus.
 */
export function checkCreation(wishes: Wishes, length: string | undefined, limits: Config['upload']): UploadMetadata {
  const metadata = parseMetadata(wishes);
  const media = mediaOf(metadata);
  if (!formatsOf(media).includes(extensionOf(metadata.name)) || length === '0') throw unsupported(media);
  requireLength(length, limits[MAX_BYTES[media]]);
  return metadata;
}
