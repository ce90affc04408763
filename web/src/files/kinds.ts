import { type Media, type FileKind, type Region, type Orientation, type Split, regionsOfSplit } from '@ams/contract';

/** Region of a file in the drawing; a video, which fits several regions, is drawn full screen. */
export const shownPlace = (kind: FileKind): { split: Split; region: Region } =>
  kind.places[0] ?? { split: 'full', region: 'full' };

/** The label of a split picture's place, as on the tabs. */
export const PART_TEXT = {
  three: { top: 'three_top', bottom: 'three_bottom', left: 'three_left', right: 'three_right' },
  two: { bottom: 'two_bottom' },
} as const;

type PartText = 'three_top' | 'three_bottom' | 'three_left' | 'three_right' | 'two_bottom';

/** Text key of a kind in the namespace `files`. */
export function kindText(kind: FileKind): PartText | 'tabImage' | 'tabVideo' {
  const { split, region } = shownPlace(kind);
  const parts: Partial<Record<Region, PartText>> =
    split === 'three' ? PART_TEXT.three : split === 'two' ? PART_TEXT.two : {};
  return parts[region] ?? MEDIA_TEXT[kind.media];
}

const MEDIA_TEXT: Record<Media, 'tabImage' | 'tabVideo'> = { image: 'tabImage', video: 'tabVideo' };

const LONG_SIDE = 16;
const SHORT_SIDE = 9;
/** Posters stay within these, so that a grid of narrow strips can still be read and touched. */
const NARROWEST = 3 / 4;
const WIDEST = 16 / 9;

/** Aspect ratio of the region of a kind. */
export function ratioOf(orientation: Orientation, split: Split, region: Region): number {
  const share = regionsOfSplit(orientation, split)?.find((part) => part.region === region)?.share ?? 1;
  return orientation === 'vertical' ? SHORT_SIDE / (LONG_SIDE * share) : (LONG_SIDE * share) / SHORT_SIDE;
}

/** Width to height of a poster's frame. */
export function posterRatio(kind: FileKind): number {
  const { split, region } = shownPlace(kind);
  return Math.min(Math.max(ratioOf(kind.orientation, split, region), NARROWEST), WIDEST);
}

/** Accepted types of a file input, by media type and extension: browsers support one or the other. */
export const acceptOf = (media: Media, formats: readonly string[]): string =>
  [...TYPES[media], ...formats.map((format) => `.${format}`)].join(',');

const TYPES: Record<Media, readonly string[]> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  video: ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'],
};
