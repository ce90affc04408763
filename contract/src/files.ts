import { z } from 'zod';
import { givenName } from './kernel/name.ts';
import { BatchResult, PageQuery, pageOf } from './kernel/page.ts';
import { IdParams, Nothing, raw, routeTable } from './kernel/route.ts';
import { UserRef } from './users.ts';

/** Screen type (`teamid`): 1 vertical, 2 horizontal. */
export const SCREENS = { vertical: 1, horizontal: 2 } as const;
export const Screen = z.union([z.literal(1), z.literal(2)]);
export type Screen = z.output<typeof Screen>;

export type Split = 'full' | 'two' | 'three';
export type Region = 'full' | 'top' | 'middle' | 'bottom' | 'left' | 'right';
export type Media = 'image' | 'video';

export interface MaterialKind {
  screen: Screen;
  type: number;
  media: Media;
  /** Where a file of this kind may stand. */
  places: readonly { split: Split; region: Region }[];
}

/** The one table behind tabs, upload, release form and player (SPEC point 3, file kinds by layout). */
export const MATERIAL_KINDS = [
  { screen: 1, type: 1, media: 'image', places: [{ split: 'full', region: 'full' }] },
  {
    screen: 1,
    type: 2,
    media: 'video',
    places: [
      { split: 'full', region: 'full' },
      { split: 'two', region: 'top' },
      { split: 'three', region: 'middle' },
    ],
  },
  { screen: 1, type: 3, media: 'image', places: [{ split: 'three', region: 'top' }] },
  { screen: 1, type: 4, media: 'image', places: [{ split: 'three', region: 'bottom' }] },
  { screen: 1, type: 5, media: 'image', places: [{ split: 'two', region: 'bottom' }] },
  { screen: 2, type: 1, media: 'image', places: [{ split: 'full', region: 'full' }] },
  {
    screen: 2,
    type: 2,
    media: 'video',
    places: [
      { split: 'full', region: 'full' },
      { split: 'three', region: 'middle' },
    ],
  },
  { screen: 2, type: 3, media: 'image', places: [{ split: 'three', region: 'left' }] },
  { screen: 2, type: 4, media: 'image', places: [{ split: 'three', region: 'right' }] },
] as const satisfies readonly MaterialKind[];

export const materialKind = (screen: number, type: number): MaterialKind | undefined =>
  MATERIAL_KINDS.find((kind) => kind.screen === screen && kind.type === type);

/** Share of the screen a region takes along the split axis (rows when vertical, columns when horizontal). */
export interface RegionShare {
  region: Region;
  share: number;
}

const LAYOUTS: Record<Screen, Partial<Record<Split, readonly RegionShare[]>>> = {
  1: {
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
  2: {
    full: [{ region: 'full', share: 1 }],
    three: [
      { region: 'left', share: 1 / 4 },
      { region: 'middle', share: 1 / 2 },
      { region: 'right', share: 1 / 4 },
    ],
  },
};

/** Regions of a split in reading order, or undefined where that screen has no such split. */
export const layoutOf = (screen: Screen, split: Split): readonly RegionShare[] | undefined => LAYOUTS[screen][split];

/** The kinds of file that may stand in a region. */
export const kindsFor = (screen: Screen, split: Split, region: Region): MaterialKind[] =>
  MATERIAL_KINDS.filter(
    (kind: MaterialKind) =>
      kind.screen === screen && kind.places.some((place) => place.split === split && place.region === region),
  );

export const FILE_NAME_MAX = 120;
export const IMAGE_PIXELS_MAX = 40_000_000;
/** Longer sides than this no graphics chip draws in one piece. */
export const IMAGE_SIDE_MAX = 16_384;
export const UPLOAD_LIMITS = { maxFiles: 9, maxImageBytes: 20 * 2 ** 20, maxVideoBytes: 2 * 2 ** 30 };
export const IMAGE_FORMATS = ['jpg', 'jpeg', 'png', 'webp', 'gif'] as const;
export const VIDEO_FORMATS = ['mp4', 'm4v', 'mov', 'webm', 'mkv'] as const;
export const UPLOAD_URL = '/api/uploads';
export const UPLOAD_EXPIRY_HOURS = 24;
/** So many uploads a person may have begun without ending them. */
export const UNFINISHED_UPLOADS_MAX = 100;

const SPECIAL_SYMBOLS = /[\\/:*?"<>|#%&{}$!'@+=^`~;\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const EXTENSION = /\.([a-z0-9]{1,5})$/i;

export const FileName = givenName({
  max: FILE_NAME_MAX,
  required: 'file.nameRequired',
  tooLong: 'file.nameLength',
  seen: (name) => name.replace(EXTENSION, '') || name,
}).refine((name) => !SPECIAL_SYMBOLS.test(name), 'file.nameSymbols');

/** Lower-case extension without its dot, or an empty string. */
export const extensionOf = (name: string): string => EXTENSION.exec(name)?.[1]?.toLowerCase() ?? '';

export const formatsOf = (media: Media): readonly string[] => (media === 'image' ? IMAGE_FORMATS : VIDEO_FORMATS);

/** What the tus `Upload-Metadata` of a creation must say. */
export const UploadMetadata = z
  .object({
    name: FileName,
    screen: z.coerce.number().pipe(Screen),
    type: z.coerce.number().int().min(1).max(5),
    owner: z.uuid().optional(),
  })
  .refine((meta) => materialKind(meta.screen, meta.type) !== undefined, { path: ['type'], error: 'file.kind' });
export type UploadMetadata = z.output<typeof UploadMetadata>;

export const FileState = z.enum(['processing', 'ready', 'failed']);
export type FileState = z.output<typeof FileState>;

export const FILE_FAILURES = [
  'unreadable',
  'noVideo',
  'needsConversion',
  'tooManyPixels',
  'tooLong',
  'conversion',
  'tooSlow',
  'tooDemanding',
] as const;
export const FILE_WARNINGS = ['shape'] as const;

export const File = z.object({
  id: z.uuid(),
  name: z.string(),
  screen: Screen,
  type: z.number().int(),
  mime: z.string().nullable(),
  bytes: z.number().int(),
  sha256: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  state: FileState,
  /** Percent of its conversion; null before that begins, and when none is needed. */
  progress: z.number().int().min(0).max(100).nullable(),
  failure: z.string().nullable(),
  warning: z.string().nullable(),
  owner: UserRef,
  uploadedBy: UserRef.nullable(),
  /** Signed addresses; null until there is something to show. */
  url: z.string().nullable(),
  poster: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type File = z.output<typeof File>;

export const FileFilter = z.object({
  owner: z.uuid().optional(),
  screen: z.coerce.number().pipe(Screen).optional(),
  type: z.coerce.number().int().min(1).max(5).optional(),
  q: z.string().trim().max(100).optional(),
  state: FileState.optional(),
});

export const FileCount = z.object({ screen: Screen, type: z.number().int(), count: z.number().int() });

/** An expiring signature in the query: `e` seconds since 1970, `s` the signature. */
export const MediaQuery = z.object({ e: z.string().max(20).optional(), s: z.string().max(100).optional() });
const MediaParams = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export const files = routeTable({
  list: {
    method: 'GET',
    url: '/api/files',
    access: 'user',
    summary: 'Files in scope, newest first',
    query: PageQuery.extend(FileFilter.shape),
    response: pageOf(File),
  },
  counts: {
    method: 'GET',
    url: '/api/files/counts',
    access: 'user',
    summary: 'How many files of each kind',
    query: z.object({ owner: z.uuid().optional() }),
    response: z.object({ items: z.array(FileCount) }),
  },
  get: {
    method: 'GET',
    url: '/api/files/:id',
    access: 'user',
    summary: 'One file in scope',
    params: IdParams,
    response: File,
  },
  rename: {
    method: 'PATCH',
    url: '/api/files/:id',
    access: 'user',
    summary: 'Rename a file',
    params: IdParams,
    body: z.object({ name: FileName }),
    response: File,
  },
  remove: {
    method: 'DELETE',
    url: '/api/files/:id',
    access: 'user',
    summary: 'Delete a file that no live release shows',
    params: IdParams,
    response: Nothing,
  },
  removeMany: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/files/delete',
    access: 'user',
    summary: 'Delete several files',
    body: z.object({ ids: z.array(z.uuid()).min(1).max(1000) }),
    response: BatchResult,
  },
  media: {
    method: 'GET',
    url: '/media/:sha256',
    access: 'open',
    summary: 'The bytes: Range, ETag, immutable; a device token or a signature opens it',
    params: MediaParams,
    query: MediaQuery,
    response: raw('application/octet-stream'),
  },
  poster: {
    method: 'GET',
    url: '/media/:sha256/poster',
    access: 'open',
    summary: 'WebP still of 480 px; a signature opens it',
    params: MediaParams,
    query: MediaQuery,
    response: raw('image/webp'),
  },
});
