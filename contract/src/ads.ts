import { z } from 'zod';
import { FileState } from './files.ts';
import { givenName } from './kernel/name.ts';
import { PageQuery, QueryFlag, pageOf, sortOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, routeTable } from './kernel/route.ts';
import { GivenTime } from './kernel/time.ts';
import { AdDevice, CHOICE_MAX_BYTES, CreateReleaseBody, Release } from './releases.ts';
import { ContentChecks } from './rules/content-checks.ts';
import { UserRef } from './users.ts';
import { isScanTarget, scanTargetOf } from './rules/scan-target.ts';
import {
  BLACK,
  Colour,
  Corner,
  Fit,
  HAS_LENGTH,
  Media,
  Orientation,
  PlayMode,
  QrSize,
  Region,
  REGIONS,
  Split,
} from './vocabulary.ts';

export const AD_NAME_MAX = 60;
export const FILES_A_REGION_MAX = 30;
export const IMAGE_SECONDS = { default: 10, min: 1, max: 3600 };

/** The regions that have something in them, in reading order, with their playlists. */
export const regionEntries = <T>(regions: Partial<Record<Region, T[]>>): [Region, T[]][] =>
  REGIONS.flatMap((region): [Region, T[]][] => {
    const items = regions[region] ?? [];
    return items.length > 0 ? [[region, items]] : [];
  });

/** A file in a playlist; `seconds` counts for media without a length of their own. */
const FileItem = z.object({
  kind: z.literal('file'),
  fileId: Id,
  seconds: z.number().int().min(IMAGE_SECONDS.min).max(IMAGE_SECONDS.max).optional(),
});

/** One item of a region's playlist, as it is written. */
export const AdItem = z.discriminatedUnion('kind', [FileItem]);
export type AdItem = z.output<typeof AdItem>;
export type ItemKind = AdItem['kind'];

/** The ids of the files that an item needs. */
export function filesOfItem(item: AdItem): string[] {
  switch (item.kind) {
    case 'file':
      return [item.fileId];
  }
}

/** How long one showing of a file takes, in milliseconds. */
export const showingMs = (file: { media: Media; seconds?: number | undefined; durationMs: number | null }): number =>
  HAS_LENGTH[file.media] ? (file.durationMs ?? 0) : (file.seconds ?? IMAGE_SECONDS.default) * 1000;

export const AdName = givenName({ max: AD_NAME_MAX, required: 'name.required', tooLong: 'name.length' });

/** The QR code that a device draws over an ad, and the address of the advertiser that it leads to. */
export const AdQr = z.object({ url: z.string(), corner: Corner, size: QrSize });
export type AdQr = z.output<typeof AdQr>;

const GivenQr = z.object({
  url: z
    .string()
    .trim()
    .refine(isScanTarget, 'qr.url')
    .transform((text) => scanTargetOf(text) ?? ''),
  corner: Corner.default('bottomRight'),
  size: QrSize.default('medium'),
});

export const AdBody = z.object({
  name: AdName,
  ownerId: Id.optional(),
  orientation: Orientation,
  split: Split,
  dual: z.boolean().default(false),
  playMode: PlayMode.default('sequence'),
  showClock: z.boolean().default(false),
  fit: Fit.default('contain'),
  /** Its videos play without sound. */
  muted: z.boolean().default(false),
  background: Colour.default(BLACK),
  qr: GivenQr.nullable().default(null),
  regions: z.partialRecord(Region, z.array(AdItem)),
});
export type AdBody = z.input<typeof AdBody>;

/** An item with what is needed to draw and preview it; `poster` and `url` are signed. */
export const AdItemShown = z.discriminatedUnion('kind', [
  FileItem.extend({
    name: z.string(),
    media: Media,
    state: FileState,
    durationMs: z.number().int().nullable(),
    poster: z.string().nullable(),
    url: z.string().nullable(),
  }),
]);
export type AdItemShown = z.output<typeof AdItemShown>;
export type FileItemShown = Extract<AdItemShown, { kind: 'file' }>;

export const Ad = AdBody.omit({ ownerId: true, regions: true }).extend({
  qr: AdQr.nullable(),
  regions: z.partialRecord(Region, z.array(AdItemShown)),
  id: z.uuid(),
  owner: UserRef,
  videos: z.number().int(),
  images: z.number().int(),
  /** Devices that have a release of this ad now. */
  devices: z.number().int(),
  /** Devices in scope whose release of this ad, begun or planned, is of an earlier version than the stored one. */
  outdatedDevices: z.number().int(),
  /** The ad was changed, and devices still have an earlier version. */
  changedSinceRelease: z.boolean(),
  releasedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Ad = z.output<typeof Ad>;

/** The ad that a leading user named as default content of an orientation. */
export const NamedContent = z.object({
  /** It is a release: `GET releases/:id` answers it, too. */
  releaseId: z.uuid(),
  ad: z.object({ id: z.uuid(), name: z.string() }),
  namedAt: z.iso.datetime(),
  /** The ad was changed since; devices have the version that was named. */
  isOutdated: z.boolean(),
});
export type NamedContent = z.output<typeof NamedContent>;

/** What devices at and below a user show while nothing else plays, by their orientation; null: what the user above named. */
export const DefaultContent = z.object({
  vertical: NamedContent.nullable(),
  horizontal: NamedContent.nullable(),
}) satisfies z.ZodType<Record<Orientation, NamedContent | null>>;
export type DefaultContent = z.output<typeof DefaultContent>;

/** Names an ad for an orientation, or removes it. */
export const DefaultContentBody = z.object({
  orientation: Orientation,
  adId: Id.nullable(),
  /** The version of the ad that the operator saw; refused when it is another by now. */
  updatedAt: GivenTime.optional(),
});
export type DefaultContentBody = z.output<typeof DefaultContentBody>;

export const AdFilter = z.object({
  owner: Id.optional(),
  orientation: Orientation.optional(),
  q: z.string().trim().max(100).optional(),
  released: QueryFlag.optional(),
});

/** Ads that were never released come before every time. */
export const AD_SORTS = ['name', 'owner', 'releasedAt', 'createdAt'] as const;

export const ads = routeTable({
  list: {
    method: 'GET',
    url: '/api/ads',
    access: 'user',
    summary: 'Ads in scope, newest first unless `sort` says otherwise',
    query: PageQuery.extend({ ...AdFilter.shape, sort: sortOf(AD_SORTS).optional() }),
    response: pageOf(Ad),
  },
  create: {
    method: 'POST',
    url: '/api/ads',
    access: 'user',
    summary: 'Create an ad',
    body: AdBody,
    errors: ['FILE_GONE', 'WRONG_KIND', 'TOO_MANY_FILES', 'FILE_NOT_READY', 'EMPTY_AD'],
    response: Ad,
  },
  get: {
    method: 'GET',
    url: '/api/ads/:id',
    access: 'user',
    summary: 'One ad in scope',
    params: IdParams,
    response: Ad,
  },
  update: {
    method: 'PUT',
    url: '/api/ads/:id',
    access: 'user',
    summary:
      'Update an ad; refused if another user changed it after `updatedAt`. One that is released stays with its owner',
    params: IdParams,
    body: AdBody.extend({ updatedAt: GivenTime }),
    errors: ['FILE_GONE', 'WRONG_KIND', 'TOO_MANY_FILES', 'FILE_NOT_READY', 'EMPTY_AD'],
    response: Ad,
  },
  delete: {
    method: 'DELETE',
    url: '/api/ads/:id',
    access: 'user',
    summary:
      'Delete an ad and withdraw its releases; only a leading user deletes one that takes over or that a booked campaign shows',
    params: IdParams,
    errors: ['LEADING_ONLY'],
    response: Nothing,
  },
  checks: {
    method: 'GET',
    url: '/api/ads/:id/checks',
    access: 'user',
    summary: 'What content checks find in the files of an ad: for people to judge, nothing is blocked',
    params: IdParams,
    response: ContentChecks,
  },
  copy: {
    method: 'POST',
    url: '/api/ads/:id/copy',
    access: 'user',
    summary: 'Copy an ad under another name',
    params: IdParams,
    body: z.object({ name: AdName }),
    errors: ['FILE_GONE', 'FILE_NOT_READY', 'EMPTY_AD'],
    response: Ad,
  },
  release: {
    method: 'POST',
    url: '/api/ads/:id/release',
    access: 'user',
    summary:
      'Release a frozen copy of an ad to devices, all of them or none; if `standing`, also to those that match later',
    params: IdParams,
    maxBytes: CHOICE_MAX_BYTES,
    body: CreateReleaseBody,
    errors: ['EMPTY_AD', 'FILE_NOT_READY', 'NO_DEVICES', 'SCREEN_REQUIRED', 'BAD_SCHEDULE', 'STANDING_FILTER'],
    response: Release,
  },
  approve: {
    method: 'POST',
    url: '/api/releases/:id/approve',
    access: 'leading',
    summary: 'Approve a release that a customer requested, exactly as it was requested: it begins now',
    params: IdParams,
    errors: ['NOT_APPROVABLE', 'CHANGED_MEANWHILE'],
    response: Release,
  },
  listDevices: {
    method: 'GET',
    url: '/api/ads/:id/devices',
    access: 'user',
    summary: 'Devices in scope on which an ad is released, each with its state',
    params: IdParams,
    query: PageQuery.omit({ total: true }),
    response: pageOf(AdDevice),
  },
  updateDevices: {
    method: 'POST',
    url: '/api/ads/:id/update',
    access: 'user',
    summary:
      'Release the ad anew to the devices that have an earlier version; each release keeps its options and steps',
    params: IdParams,
    body: z.object({ updatedAt: GivenTime.optional() }),
    errors: ['EMPTY_AD', 'FILE_NOT_READY'],
    response: z.object({ devices: z.number().int(), releases: z.array(Release) }),
  },
  getDefaultContent: {
    method: 'GET',
    url: '/api/users/:id/default-content',
    access: 'leading',
    summary: 'The ads that a user in scope named for devices that have nothing else to show',
    params: IdParams,
    response: DefaultContent,
  },
  changeDefaultContent: {
    method: 'PUT',
    url: '/api/users/:id/default-content',
    access: 'leading',
    summary:
      'Name an ad that devices of an orientation, at and below a leading user, show while nothing else plays; null removes it. Named again, the devices get its newest version',
    params: IdParams,
    body: DefaultContentBody,
    errors: ['EMPTY_AD', 'FILE_NOT_READY', 'CHANGED_MEANWHILE'],
    response: DefaultContent,
  },
});
