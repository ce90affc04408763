import { z } from 'zod';
import { GivenHours, HeldHours, ShownHours } from './hours.ts';
import { givenName } from './kernel/name.ts';
import { PageQuery, pageOf, sortOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, raw, routeTable } from './kernel/route.ts';
import { GivenDate, GivenOffsetTime } from './kernel/time.ts';
import { DeviceScreen, Mac, ScreenQuery, ScreenSound, TimeZone } from './player.ts';
import { plainDigits } from './rules/digits.ts';
import { DeviceQuery } from './rules/filter.ts';
import { Tags, TAG_LENGTH_MAX } from './rules/tags.ts';
import { DEVICE_VERDICTS } from './rules/verdict.ts';
import { ImportResult, SHEET_MAX_BYTES } from './sheets.ts';
import { UserRef } from './users.ts';
import { Media, Orientation, Screen } from './vocabulary.ts';

export const DEVICE_NAME_MAX = 60;
/** Time without a sign of life after which a device's playback state is stale. */
export const PLAYING_STALE_SECONDS = 20;

export const DeviceName = givenName({ max: DEVICE_NAME_MAX, tooLong: 'name.length' });

export const AREA_MAX = 60;
export const ADDRESS_MAX = 200;
/** A city or district, as the operator names it. */
export const Area = givenName({ max: AREA_MAX, required: 'area.required', tooLong: 'area.length' });
export const Address = givenName({ max: ADDRESS_MAX, required: 'address.required', tooLong: 'address.length' });
/** The place of a device in a form: both fields may be empty. */
export const DevicePlace = z.object({ area: Area, address: Address });
export const OptionalPlace = z.object({
  area: givenName({ max: AREA_MAX, tooLong: 'area.length' }),
  address: givenName({ max: ADDRESS_MAX, tooLong: 'address.length' }),
});
/** Areas or tags that one call suggests. */
export const SUGGESTIONS_MAX = 50;

/** A calendar date; an instant is taken for the date it is written with. */
export const ExpiryDate = z.union([GivenDate(), GivenOffsetTime]).transform((text) => text.slice(0, 10));

/** The content of a region as reported by the device. */
export const NowPlaying = z.object({
  releaseId: z.string().nullable(),
  ad: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  sha256: z.string().nullable(),
  poster: z.string().nullable(),
});
export type NowPlaying = z.output<typeof NowPlaying>;

export const DownloadState = z.enum(['waiting', 'done']);
export type DownloadState = z.output<typeof DownloadState>;

/**
 * The one verdict on a device; `reason`: of a failure, as the device reports it. `until`: when a device that is dark on
 * purpose works again; null for other verdicts, and when its hours never begin.
 */
export const DeviceVerdict = z.object({
  kind: z.enum(DEVICE_VERDICTS),
  reason: z.string().nullable(),
  until: z.iso.datetime().nullable(),
});
export type DeviceVerdict = z.output<typeof DeviceVerdict>;

export const Device = z.object({
  id: z.uuid(),
  mac: z.string(),
  name: z.string(),
  owner: UserRef,
  /** The user who last changed its content. */
  operator: UserRef.nullable(),
  online: z.boolean(),
  lastSeenAt: z.iso.datetime().nullable(),
  download: z.object({
    state: DownloadState,
    doneBytes: z.number().int(),
    totalBytes: z.number().int(),
    reason: z.string().nullish(),
  }),
  playing: z.object({
    main: NowPlaying.nullish(),
    secondary: NowPlaying.nullish(),
    /** Time of the last report. */
    at: z.iso.datetime().nullish(),
    /** Whether the device is connected and keeps reporting, so that its state is current. */
    live: z.boolean(),
  }),
  /** Why its screens show what they show, at this moment. */
  verdict: DeviceVerdict,
  /** When the last picture of each screen was taken. */
  screenshotAt: z.object({ main: z.iso.datetime().nullish(), secondary: z.iso.datetime().nullish() }),
  expired: z.boolean(),
  expiresAt: z.iso.date().nullable(),
  timeZone: z.string(),
  area: z.string().nullable(),
  address: z.string().nullable(),
  tags: z.array(z.string()),
  /** Of its main screen; null until it has reported the size. */
  orientation: Orientation.nullable(),
  screens: z.array(DeviceScreen),
  sound: ScreenSound,
  ...HeldHours,
  /** The working hours of the nearest user at or above its owner; null when nobody set any, or when it has its own. */
  defaultHours: ShownHours.nullable(),
  freeBytes: z.number().int().nullable(),
  playerVersion: z.string().nullable(),
  pairedAt: z.iso.datetime().nullable(),
  /** When it was last paired in place of another device with its MAC, and by whom; null when it never was. */
  replaced: z.object({ at: z.iso.datetime(), by: z.string().nullable() }).nullable(),
  createdAt: z.iso.datetime(),
});
export type Device = z.output<typeof Device>;

/** Calendar days in a device's history, in its time zone, including today. */
export const HISTORY_DAYS = 7;

/**
 * Periods of presence. They are contiguous and cover the time from `from` to `to`; `unknown` is the time before the first
 * connection, `dark` the time outside the working hours. `uptime` is the online share of the rest, 0 to 1.
 */
export const DeviceHistory = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  timeZone: z.string(),
  uptime: z.number().min(0).max(1).nullable(),
  stretches: z.array(
    z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      state: z.enum(['online', 'offline', 'unknown', 'dark']),
    }),
  ),
});
export type DeviceHistory = z.output<typeof DeviceHistory>;

/** Devices that one call may name by id; a filter may choose any number. */
export const BATCH_IDS_MAX = 1000;
export const DeviceIds = z.array(Id).min(1, 'batch.choice').max(BATCH_IDS_MAX, 'batch.ids');

/** A file that a device holds or is fetching, because something that may play there needs it. */
export const DeviceFile = z.object({
  id: z.uuid(),
  name: z.string(),
  media: Media,
  sha256: z.string(),
  bytes: z.number().int(),
  mime: z.string(),
  poster: z.string(),
  /** As far as the release is that brings it. */
  state: z.enum(['waiting', 'downloading', 'done', 'failed']),
  reason: z.string().nullable(),
  /** The screens that show it now, as reported by the device. */
  playing: z.array(Screen),
  ads: z.array(z.object({ id: z.uuid(), name: z.string() })),
});
export type DeviceFile = z.output<typeof DeviceFile>;

/** The place of a device. Null removes it. */
const Place = { area: Area.nullish(), address: Address.nullish() };

export const CreateDeviceBody = z.object({
  mac: Mac,
  name: DeviceName.optional(),
  ownerId: Id.optional(),
  tags: Tags.optional(),
  ...Place,
});

/** Digits of other languages and blanks between digits are read as people mean them. */
const PairingCode = z
  .string()
  .max(20)
  .transform((text) => plainDigits(text).replace(/\s/g, ''))
  .pipe(z.string().min(1, 'pairing.codeRequired'));

/** The code alone is enough; a MAC, where given, must be the one of the device that shows it. */
export const PairingCodeBody = z.object({ mac: Mac.optional(), code: PairingCode });

export const PairBody = PairingCodeBody.extend({
  ownerId: Id.optional(),
  name: DeviceName.optional(),
  tags: Tags.optional(),
  ...Place,
});
export type PairBody = z.input<typeof PairBody>;

/**
 * Preview of pairing. `device`: the existing device in scope with this MAC; null if pairing adds one.
 * `pairedBefore`: a device was paired with this MAC before, so this one would replace it, or it was deleted.
 */
export const PairingPreview = z.object({ mac: z.string(), device: Device.nullable(), pairedBefore: z.boolean() });
export type PairingPreview = z.output<typeof PairingPreview>;

/** Devices of one network that are listed as waiting. */
export const WAITING_MAX = 20;

/** A device that shows a pairing code. Nothing here identifies it: its code has to be read from its screen. */
export const WaitingDevice = z.object({ since: z.iso.datetime(), screen: DeviceScreen });
export type WaitingDevice = z.output<typeof WaitingDevice>;

export const UpdateDeviceBody = z.object({
  name: DeviceName.optional(),
  tags: Tags.optional(),
  ...Place,
  ownerId: Id.optional(),
  expiresAt: ExpiryDate.nullish(),
  /** Null: the one that the player reports. */
  timeZone: TimeZone.nullish(),
  /** A screen that is left out stays as it is. */
  sound: ScreenSound.partial().optional(),
  ...GivenHours,
});
export type UpdateDeviceBody = z.input<typeof UpdateDeviceBody>;

/** Never seen comes before every time, no expiry date after every date, no area before every area. */
export const DEVICE_SORTS = ['name', 'mac', 'owner', 'area', 'lastSeenAt', 'expiresAt', 'createdAt'] as const;

const XLS = 'application/vnd.ms-excel';

export const devices = routeTable({
  list: {
    method: 'GET',
    url: '/api/devices',
    access: 'user',
    summary: 'Devices in scope, newest first unless `sort` says otherwise',
    query: PageQuery.extend({ ...DeviceQuery.shape, sort: sortOf(DEVICE_SORTS).optional() }),
    errors: ['NOT_FOUND'],
    response: pageOf(Device),
  },
  create: {
    method: 'POST',
    url: '/api/devices',
    access: 'leading',
    summary: 'Add a device by its MAC',
    body: CreateDeviceBody,
    errors: ['MAC_TAKEN'],
    response: Device,
  },
  pair: {
    method: 'POST',
    url: '/api/devices/pair',
    access: 'user',
    summary: 'Pair the device that shows this code',
    body: PairBody,
    errors: ['BAD_PAIRING_CODE', 'DEVICE_OWNED', 'DEVICE_PAIRED'],
    response: Device,
  },
  previewPair: {
    method: 'POST',
    url: '/api/devices/pair/preview',
    access: 'user',
    summary: 'Preview of pairing the device that shows this code; changes nothing',
    body: PairingCodeBody,
    errors: ['BAD_PAIRING_CODE', 'DEVICE_OWNED'],
    response: PairingPreview,
  },
  waiting: {
    method: 'GET',
    url: '/api/devices/waiting',
    access: 'user',
    perMinute: 60,
    summary:
      "Devices that wait to be paired from the caller's own public address, newest first, without their MAC and code",
    response: z.object({ items: z.array(WaitingDevice) }),
  },
  export: {
    method: 'GET',
    url: '/api/devices/export',
    access: 'user',
    summary: 'Devices in scope that match the filter, as a spreadsheet',
    query: DeviceQuery,
    errors: ['NOT_FOUND', 'EXPORT_TOO_LARGE'],
    response: raw(XLS),
  },
  exportChosen: {
    method: 'POST',
    reads: true,
    url: '/api/devices/export',
    access: 'user',
    summary: 'Devices with the given ids, as a spreadsheet; devices out of scope are omitted',
    body: z.object({ ids: DeviceIds }),
    errors: ['EXPORT_TOO_LARGE'],
    response: raw(XLS),
  },
  template: {
    method: 'GET',
    url: '/api/devices/template',
    access: 'leading',
    summary: 'Template spreadsheet for an import',
    response: raw(XLS),
  },
  import: {
    method: 'POST',
    url: '/api/devices/import',
    access: 'leading',
    summary:
      'Import devices from a spreadsheet (.xls, .xlsx, .ods or .csv); valid rows are imported even if others fail',
    file: true,
    maxBytes: SHEET_MAX_BYTES,
    errors: [
      'BAD_SPREADSHEET',
      'SPREADSHEET_PROTECTED',
      'SPREADSHEET_EMPTY',
      'SPREADSHEET_HEADS',
      'SPREADSHEET_SHEETS',
      'SPREADSHEET_HEAVY',
      'TOO_MANY_ROWS',
    ],
    response: ImportResult,
  },
  areas: {
    method: 'GET',
    url: '/api/devices/areas',
    access: 'user',
    summary: 'Areas of devices in scope that contain a text, the most frequent first',
    query: z.object({ q: z.string().trim().max(AREA_MAX).optional() }),
    response: z.object({ items: z.array(z.string()) }),
  },
  tags: {
    method: 'GET',
    url: '/api/devices/tags',
    access: 'user',
    summary: 'Tags of devices in scope that contain a text, the most frequent first',
    query: z.object({ q: z.string().trim().max(TAG_LENGTH_MAX).optional() }),
    response: z.object({ items: z.array(z.string()) }),
  },
  get: {
    method: 'GET',
    url: '/api/devices/:id',
    access: 'user',
    summary: 'One device in scope',
    params: IdParams,
    response: Device,
  },
  update: {
    method: 'PATCH',
    url: '/api/devices/:id',
    access: 'user',
    summary:
      'Change name, tags, place, sound, working hours and levels of a device; leading users also change owner, expiry and time zone',
    params: IdParams,
    body: UpdateDeviceBody,
    response: Device,
  },
  delete: {
    method: 'DELETE',
    url: '/api/devices/:id',
    access: 'user',
    summary: 'Delete a device; it shows its pairing page again',
    params: IdParams,
    response: Nothing,
  },
  history: {
    method: 'GET',
    url: '/api/devices/:id/history',
    access: 'user',
    summary: 'Periods in which a device was online during the last seven days',
    params: IdParams,
    response: DeviceHistory,
  },
  requestScreenshot: {
    method: 'POST',
    url: '/api/devices/:id/screenshot',
    access: 'user',
    perMinute: 60,
    summary: 'Request screenshots from a device; 409 if it is offline',
    params: IdParams,
    errors: ['DEVICE_OFFLINE'],
    response: Nothing,
  },
  getScreenshot: {
    method: 'GET',
    url: '/api/devices/:id/screenshot',
    access: 'user',
    summary: 'The last screenshot of a screen; the header `taken-at` contains its time',
    params: IdParams,
    query: ScreenQuery,
    response: raw('image/jpeg'),
  },
  listFiles: {
    method: 'GET',
    url: '/api/devices/:id/files',
    access: 'user',
    summary: 'Files that a device holds and plays, each with its state',
    params: IdParams,
    response: pageOf(DeviceFile),
  },
  clear: {
    method: 'DELETE',
    url: '/api/devices/:id/files',
    access: 'user',
    summary: 'Withdraw all releases from a device and delete its files',
    params: IdParams,
    response: Nothing,
  },
});
