import { z } from 'zod';
import { givenName } from './kernel/name.ts';
import { BatchResult, PageQuery, pageOf, sortOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, raw, routeTable } from './kernel/route.ts';
import { UserRef } from './users.ts';
import { fileKind, KindNumber, Media, Orientation } from './vocabulary.ts';

export const FILE_NAME_MAX = 120;
/** Files that one call deletes. */
export const FILES_AT_ONCE_MAX = 1000;
export const IMAGE_PIXELS_MAX = 40_000_000;
/** Longer sides than this no graphics chip draws in one piece. */
export const IMAGE_SIDE_MAX = 16_384;
export const UPLOAD_LIMITS = { maxFiles: 9, maxImageBytes: 20 * 2 ** 20, maxVideoBytes: 2 * 2 ** 30 };
export const IMAGE_FORMATS = ['jpg', 'jpeg', 'png', 'webp', 'gif'] as const;
export const VIDEO_FORMATS = ['mp4', 'm4v', 'mov', 'webm', 'mkv'] as const;
export const UPLOAD_URL = '/api/uploads';
export const UPLOAD_EXPIRY_HOURS = 24;
/** The number of unfinished uploads that a user may have. */
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

const FORMATS: Record<Media, readonly string[]> = { image: IMAGE_FORMATS, video: VIDEO_FORMATS };

/** The extensions that a file of a media may have. */
export const formatsOf = (media: Media): readonly string[] => FORMATS[media];

/** The tus `Upload-Metadata` of a file; without an orientation or a kind, the content decides. */
export const UploadMetadata = z
  .object({
    name: FileName,
    orientation: Orientation.optional(),
    kind: z.coerce.number().pipe(KindNumber).optional(),
    owner: Id.optional(),
  })
  .refine(({ orientation, kind }) => !orientation || !kind || fileKind(orientation, kind) !== undefined, {
    path: ['kind'],
    error: 'file.kind',
  });
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

export const MediaFile = z.object({
  id: z.uuid(),
  name: z.string(),
  orientation: Orientation,
  kind: KindNumber,
  media: Media,
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
export type MediaFile = z.output<typeof MediaFile>;

/** An ad that shows a file. `listed`: its playlists have it now. Numbers of live releases that show it, and of devices. */
export const FileUse = z.object({
  ad: z.object({ id: z.uuid(), name: z.string() }),
  listed: z.boolean(),
  releases: z.number().int(),
  devices: z.number().int(),
});
export type FileUse = z.output<typeof FileUse>;

export const FileFilter = z.object({
  owner: Id.optional(),
  orientation: Orientation.optional(),
  kind: z.coerce.number().pipe(KindNumber).optional(),
  q: z.string().trim().max(100).optional(),
  state: FileState.optional(),
});

/** `durationMs`: pictures come before videos. */
export const FILE_SORTS = ['name', 'owner', 'bytes', 'durationMs', 'createdAt'] as const;

export const FileCount = z.object({ orientation: Orientation, kind: KindNumber, count: z.number().int() });

/** An expiring signature in the query: `e` seconds since 1970, `s` the signature. */
export const MediaQuery = z.object({ e: z.string().max(20).optional(), s: z.string().max(100).optional() });
const MediaParams = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** What is left out stays. Orientation and kind together must be a row of the table of kinds, of the file's media. */
export const UpdateFileBody = z.object({
  name: FileName.optional(),
  orientation: Orientation.optional(),
  kind: KindNumber.optional(),
});
export type UpdateFileBody = z.output<typeof UpdateFileBody>;

export const files = routeTable({
  list: {
    method: 'GET',
    url: '/api/files',
    access: 'user',
    summary: 'Files in scope, newest first unless `sort` says otherwise',
    query: PageQuery.extend({ ...FileFilter.shape, sort: sortOf(FILE_SORTS).optional() }),
    errors: ['NOT_FOUND'],
    response: pageOf(MediaFile),
  },
  counts: {
    method: 'GET',
    url: '/api/files/counts',
    access: 'user',
    summary: 'Number of files of each kind',
    query: z.object({ owner: Id.optional() }),
    errors: ['NOT_FOUND'],
    response: z.object({ items: z.array(FileCount) }),
  },
  get: {
    method: 'GET',
    url: '/api/files/:id',
    access: 'user',
    summary: 'One file in scope',
    params: IdParams,
    response: MediaFile,
  },
  update: {
    method: 'PATCH',
    url: '/api/files/:id',
    access: 'user',
    summary: 'Rename a file, or give it another orientation or kind of the same media',
    params: IdParams,
    body: UpdateFileBody,
    errors: ['FILE_IN_USE'],
    response: MediaFile,
  },
  delete: {
    method: 'DELETE',
    url: '/api/files/:id',
    access: 'user',
    summary: 'Delete a file that no active release uses',
    params: IdParams,
    errors: ['FILE_IN_USE'],
    response: Nothing,
  },
  uses: {
    method: 'GET',
    url: '/api/files/:id/uses',
    access: 'user',
    summary: 'Ads in scope that show a file, in their playlists or in live releases, newest first',
    params: IdParams,
    query: PageQuery.omit({ total: true }),
    response: pageOf(FileUse),
  },
  deleteMany: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/files/delete',
    access: 'user',
    summary: 'Delete several files',
    body: z.object({ ids: z.array(Id).min(1).max(FILES_AT_ONCE_MAX) }),
    response: BatchResult,
  },
  media: {
    method: 'GET',
    url: '/media/:sha256',
    access: 'open',
    summary: 'Content of a file (Range, ETag, immutable); requires a device token or a signature',
    params: MediaParams,
    query: MediaQuery,
    errors: ['UNAUTHENTICATED', 'BAD_SIGNATURE', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
    alsoAnswers: [206, 302, 304],
    response: raw('image/*', 'video/*', 'application/vnd.android.package-archive', 'application/octet-stream'),
  },
  poster: {
    method: 'GET',
    url: '/media/:sha256/poster',
    access: 'open',
    summary: 'Poster of a file (WebP, 480 px); requires a signature',
    params: MediaParams,
    query: MediaQuery,
    errors: ['UNAUTHENTICATED', 'BAD_SIGNATURE', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'],
    alsoAnswers: [206, 302, 304],
    response: raw('image/webp'),
  },
});
