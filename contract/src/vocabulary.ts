/**
 * The closed sets of the product. A member added here causes compile errors wherever it has to be handled.
 * The terms are those of the field; the interface's texts are in the locale files.
 */
import { z } from 'zod';

/** Which way up a device's screens are mounted. The lists are there for code that needs no schema. */
export const ORIENTATIONS = ['vertical', 'horizontal'] as const;
export const Orientation = z.enum(ORIENTATIONS);
export type Orientation = z.output<typeof Orientation>;

/** One display of a device. */
export const SCREENS = ['main', 'secondary'] as const;
export const Screen = z.enum(SCREENS);
export type Screen = z.output<typeof Screen>;

export const MEDIA = ['image', 'video'] as const;
export const Media = z.enum(MEDIA);
export type Media = z.output<typeof Media>;
/** Whether a file of a media has a length of its own. The ad sets the duration of the others. */
export const HAS_LENGTH: Record<Media, boolean> = { image: false, video: true };

/** How a screen is divided. */
export const SPLITS = ['full', 'two', 'three'] as const;
export const Split = z.enum(SPLITS);
export type Split = z.output<typeof Split>;

/** A part of a split. */
export const REGIONS = ['full', 'top', 'middle', 'bottom', 'left', 'right'] as const;
export const Region = z.enum(REGIONS);
export type Region = z.output<typeof Region>;

/** How a file fills a region of another shape. */
export const Fit = z.enum(['contain', 'cover']);
export type Fit = z.output<typeof Fit>;

/** The colour behind transparent pictures and beside files of another shape: red, green and blue in hexadecimal. */
export const Colour = z.string().regex(/^#[0-9a-f]{6}$/);
export const BLACK = '#000000';

export const PlayMode = z.enum(['sequence', 'shuffle', 'once']);
export type PlayMode = z.output<typeof PlayMode>;

/** From the lowest to the highest. `default`: plays while nothing else does. */
export const PRIORITIES = ['default', 'normal', 'urgent', 'takeover'] as const;
export const Priority = z.enum(PRIORITIES);
export type Priority = z.output<typeof Priority>;

/** A kind's number within its orientation: the `type` of the specification's routes. */
export const KindNumber = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);
export type KindNumber = z.output<typeof KindNumber>;

/** One row of the table of kinds. */
export interface FileKind {
  orientation: Orientation;
  kind: KindNumber;
  media: Media;
  /** Uses of a file of this kind. */
  places: readonly { split: Split; region: Region }[];
}

/** The one table behind tabs, upload, release form and player (specification, point 3: file kinds by layout). */
export const FILE_KINDS = [
  { orientation: 'vertical', kind: 1, media: 'image', places: [{ split: 'full', region: 'full' }] },
  {
    orientation: 'vertical',
    kind: 2,
    media: 'video',
    places: [
      { split: 'full', region: 'full' },
      { split: 'two', region: 'top' },
      { split: 'three', region: 'middle' },
    ],
  },
  { orientation: 'vertical', kind: 3, media: 'image', places: [{ split: 'three', region: 'top' }] },
  { orientation: 'vertical', kind: 4, media: 'image', places: [{ split: 'three', region: 'bottom' }] },
  { orientation: 'vertical', kind: 5, media: 'image', places: [{ split: 'two', region: 'bottom' }] },
  { orientation: 'horizontal', kind: 1, media: 'image', places: [{ split: 'full', region: 'full' }] },
  {
    orientation: 'horizontal',
    kind: 2,
    media: 'video',
    places: [
      { split: 'full', region: 'full' },
      { split: 'three', region: 'middle' },
    ],
  },
  { orientation: 'horizontal', kind: 3, media: 'image', places: [{ split: 'three', region: 'left' }] },
  { orientation: 'horizontal', kind: 4, media: 'image', places: [{ split: 'three', region: 'right' }] },
] as const satisfies readonly FileKind[];

/** The row of a kind, or undefined where the orientation has no such kind. */
export const fileKind = (orientation: Orientation, kind: number): FileKind | undefined =>
  FILE_KINDS.find((row) => row.orientation === orientation && row.kind === kind);

/** Share of the screen a region takes along the split axis (rows when vertical, columns when horizontal). */
export interface RegionShare {
  region: Region;
  share: number;
}

const SHARES: Record<Orientation, Partial<Record<Split, readonly RegionShare[]>>> = {
  vertical: {
    full: [{ region: 'full', share: 1 }],
    two: [
      { region: 'top', share: 2 / 3 },
      { region: 'bottom', share: 1 / 3 },
    ],
    three: [
      { region: 'top', share: 1 / 4 },
      { region: 'middle', share: 1 / 2 },
      { region: 'bottom', share: 1 / 4 },
    ],
  },
  horizontal: {
    full: [{ region: 'full', share: 1 }],
    three: [
      { region: 'left', share: 1 / 4 },
      { region: 'middle', share: 1 / 2 },
      { region: 'right', share: 1 / 4 },
    ],
  },
};

/** Regions of a split in reading order, or undefined where that orientation has no such split. */
export const regionsOfSplit = (orientation: Orientation, split: Split): readonly RegionShare[] | undefined =>
  SHARES[orientation][split];

/** The kinds of file that may be used in a region. */
export const kindsFor = (orientation: Orientation, split: Split, region: Region): FileKind[] =>
  FILE_KINDS.filter(
    (row: FileKind) =>
      row.orientation === orientation && row.places.some((place) => place.split === split && place.region === region),
  );

export const otherOrientation = (orientation: Orientation): Orientation =>
  orientation === 'vertical' ? 'horizontal' : 'vertical';

const TEAM_IDS = { vertical: '1', horizontal: '2' } as const satisfies Record<Orientation, string>;

/** The specification's route parameter `teamid` of an orientation. */
export const teamIdOf = (orientation: Orientation): string => TEAM_IDS[orientation];

/** The orientation that a `teamid` names; anything but 2 is vertical. */
export const orientationOf = (teamId: string | undefined): Orientation =>
  teamId === TEAM_IDS.horizontal ? 'horizontal' : 'vertical';

export const Corner = z.enum(['topLeft', 'topRight', 'bottomLeft', 'bottomRight']);
export type Corner = z.output<typeof Corner>;

export const QrSize = z.enum(['small', 'medium', 'large']);
export type QrSize = z.output<typeof QrSize>;

/** The edge of a QR code with the white around it, in percent of the screen's shorter edge. */
export const QR_PERCENT: Record<QrSize, number> = { small: 15, medium: 21, large: 30 };
