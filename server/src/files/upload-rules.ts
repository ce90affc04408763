import {
  AppError,
  extensionOf,
  FILE_KINDS,
  fileKind,
  formatsOf,
  KindNumber,
  MEDIA,
  type Media,
  Orientation,
  UploadMetadata,
} from '@ams/contract';
import { z } from 'zod';
import type { Config } from '../platform/process/deps.ts';
import { refuseMetadata, requireSize, type SentMetadata } from '../blobs/purpose.ts';

type Limits = Config['upload'];

/** What is stored with an unfinished upload of a file: what its creator asked for, checked. */
const Order = z.object({
  name: z.string(),
  owner: z.string(),
  orientation: Orientation.optional(),
  kind: z.coerce.number().pipe(KindNumber).optional(),
});
export type Order = z.output<typeof Order>;

/** Reads back what `encodeOrder` stored. */
export const orderOf = (metadata: Record<string, string>): Order => Order.parse(metadata);

export const encodeOrder = ({ name, owner, orientation, kind }: Order): Record<string, string> => ({
  name,
  owner,
  ...(orientation && { orientation }),
  ...(kind && { kind: String(kind) }),
});

/** The media that a kind asks for; undefined without a kind. */
const mediaOf = ({ kind }: Pick<Order, 'kind'>): Media | undefined =>
  FILE_KINDS.find((row) => row.kind === kind)?.media;

/** The refusal of a format; names those of the media that was asked for, or all. */
const unsupported = (media: Media | undefined): AppError =>
  new AppError('UNSUPPORTED_FORMAT', { t: (media ? [media] : MEDIA).flatMap(formatsOf).join(', ') });

const MAX_BYTES = { image: 'maxImageBytes', video: 'maxVideoBytes' } as const satisfies Record<Media, keyof Limits>;

const limitOf = (media: Media, limits: Limits): number => limits[MAX_BYTES[media]];

function parseMetadata({ name, filename, orientation, kind, owner }: SentMetadata): UploadMetadata {
  const optional = Object.entries({ orientation, kind, owner }).filter(([, value]) => value);
  const parsed = UploadMetadata.safeParse({ name: name ?? filename ?? '', ...Object.fromEntries(optional) });
  if (!parsed.success) throw refuseMetadata(parsed.error);
  return parsed.data;
}

/** Checks all that can be known of a file before its first byte. Throws `INVALID`, `UNSUPPORTED_FORMAT` or `TOO_LARGE`. */
export function checkCreation(sent: SentMetadata, size: number, limits: Limits): UploadMetadata {
  const metadata = parseMetadata(sent);
  const media = mediaOf(metadata);
  const possible = media ? [media] : MEDIA;
  if (size === 0 || !possible.some((each) => formatsOf(each).includes(extensionOf(metadata.name)))) {
    throw unsupported(media);
  }
  requireSize(size, Math.max(...possible.map((each) => limitOf(each, limits))));
  return metadata;
}

/** Checks the media of a content against what was asked for. Throws `UNSUPPORTED_FORMAT` or `TOO_LARGE`. */
export function checkContent(order: Order, size: number, content: Media | undefined, limits: Limits): Media {
  const media = mediaOf(order);
  if (!content || (media && media !== content)) throw unsupported(media);
  requireSize(size, limitOf(content, limits));
  return content;
}

/** The kind of a file that was asked for without one. */
const KIND_OF_MEDIA: Record<Media, KindNumber> = { image: 1, video: 2 };

/** Width and height of what the content shows; undefined where that is not known. */
export type Size = { width: number; height: number } | undefined;

/** The orientation and kind of a file: as requested, otherwise derived from its content. */
export function placeOf(order: Order, media: Media, size: Size): { orientation: Orientation; kind: KindNumber } {
  const kind = order.kind ?? KIND_OF_MEDIA[media];
  const seen = size && size.width > size.height ? 'horizontal' : 'vertical';
  // Some kinds exist upright only.
  const orientation = order.orientation ?? (fileKind(seen, kind) ? seen : 'vertical');
  return { orientation, kind };
}
