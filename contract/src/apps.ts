import { z } from 'zod';
import { givenName } from './kernel/name.ts';
import { PageQuery, QueryFlag, pageOf } from './kernel/page.ts';
import { IdParams, Nothing, routeTable } from './kernel/route.ts';
import { UserRef } from './users.ts';

/** Purpose of a device's app (`istype`). */
export const APP_TYPES = { player: 1, launcher: 2, system: 3 } as const;
export const AppType = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type AppType = z.output<typeof AppType>;

export const APP_NAME_MAX = 60;
export const APP_CONTENT_MAX = 2000;
export const APP_MAX_BYTES = 500 * 2 ** 20;
export const APP_FORMATS = ['apk'] as const;
export const APP_MIME = 'application/vnd.android.package-archive';
/** The value of `kind` in the tus metadata of an app. */
export const APP_UPLOAD_KIND = 'app';

export const AppName = givenName({ max: APP_NAME_MAX, required: 'name.required', tooLong: 'name.length' });
/** Release notes of this version; may have several lines. */
export const AppContent = z.string().trim().max(APP_CONTENT_MAX, 'content.length');

/** tus `Upload-Metadata` of an app; the default name is that in the APK. */
export const AppUploadMetadata = z.object({
  name: AppName.optional(),
  content: AppContent.default(''),
  forced: QueryFlag.default(false),
  istype: z.coerce.number().pipe(AppType).default(APP_TYPES.player),
});
export type AppUploadMetadata = z.output<typeof AppUploadMetadata>;

/** One version of a device's software. `package`, `code` and `version` are read from the APK. */
export const App = z.object({
  id: z.uuid(),
  name: z.string(),
  content: z.string(),
  /** Signed address of the APK. */
  url: z.string(),
  ctime: z.iso.datetime(),
  forced: z.boolean(),
  code: z.number().int(),
  istype: AppType,
  package: z.string(),
  version: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  /** SHA-256 of the certificate that signed the APK, hex; null until an APK from before version 0.2 was read. */
  signer: z.string().nullable(),
  /** Signed address of a WebP picture; null when the APK has none that a browser shows. */
  icon: z.string().nullable(),
  /** Only published versions reach devices and members. */
  published: z.boolean(),
  /** The publisher, to whose scope it is offered; null when that is somebody above the viewer's superior. */
  uploadedBy: UserRef.nullable(),
  /** Whether the viewer may change it. */
  own: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type App = z.output<typeof App>;

export const UpdateAppBody = z.object({
  name: AppName.optional(),
  content: AppContent.optional(),
  forced: z.boolean().optional(),
  istype: AppType.optional(),
  published: z.boolean().optional(),
});
export type UpdateAppBody = z.input<typeof UpdateAppBody>;

/**
 * The version a device should install: `forced` when any version between its own and this one is. The host app
 * installs it only if `signer` is the certificate of the APK.
 */
export const OfferedApp = App.pick({
  id: true,
  name: true,
  content: true,
  url: true,
  forced: true,
  code: true,
  istype: true,
  package: true,
  version: true,
  bytes: true,
  sha256: true,
}).extend({ signer: z.string() });
export type OfferedApp = z.output<typeof OfferedApp>;

/** The installed app of a device: an Android package and its version code. */
export const InstalledApp = z.object({
  package: z.string().min(1).max(255),
  code: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
});
export type InstalledApp = z.output<typeof InstalledApp>;

export const apps = routeTable({
  list: {
    method: 'GET',
    url: '/api/apps',
    access: 'user',
    summary: 'App versions, newest first: those of the viewer and of users below, and those published by users above',
    query: PageQuery,
    response: pageOf(App),
  },
  get: {
    method: 'GET',
    url: '/api/apps/:id',
    access: 'user',
    summary: 'One app version',
    params: IdParams,
    response: App,
  },
  update: {
    method: 'PATCH',
    url: '/api/apps/:id',
    access: 'leading',
    summary: 'Edit, publish or unpublish an app version',
    params: IdParams,
    body: UpdateAppBody,
    response: App,
    errors: ['OTHER_SIGNER'],
  },
  delete: {
    method: 'DELETE',
    url: '/api/apps/:id',
    access: 'leading',
    summary: 'Delete an app version; devices that run it keep it',
    params: IdParams,
    response: Nothing,
  },
});
