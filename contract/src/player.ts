import { z } from 'zod';
import { InstalledApp, OfferedApp } from './apps.ts';
import { HeldHours } from './hours.ts';
import { Id, Nothing, raw, routeTable } from './kernel/route.ts';
import { ClockHours, GivenDate, GivenTime } from './kernel/time.ts';
import { GivenSignature, Sha256, SigningKey } from './rules/chain.ts';
import { parseMac } from './rules/mac.ts';
import { isTimeZone } from './rules/zone-names.ts';
import {
  Colour,
  Corner,
  Fit,
  Media,
  Orientation,
  PlayMode,
  Priority,
  QrSize,
  Region,
  Screen,
  Split,
} from './vocabulary.ts';

export const PAIRING_CODE_MINUTES = 10;
export const SOCKET_PROTOCOL = 'ams';
/**
 * A ping so often; one that stays unanswered for a third of that is repeated, and the second ends the connection. So a line
 * that died shows within 40 s wherever between pings it died.
 */
export const PING_SECONDS = 24;

/** Codes with which the server closes a device's WebSocket: RFC 6455 §7.4, and the IANA registry of close codes. */
export const SOCKET_CLOSE = {
  goingAway: 1001,
  restart: 1012,
  /** A device with the same secret has opened another one. */
  replaced: 4000,
  unpaired: 4001,
  badMessage: 4002,
} as const;
export const SCREENSHOT_MAX_BYTES = 2 ** 20;
export const STATUS_MAX_BYTES = 16 * 2 ** 10;
export const PLAYS_A_BATCH_MAX = 1000;

export const Mac = z.string().transform((text, ctx) => {
  const mac = parseMac(text);
  if (mac) return mac;
  ctx.addIssue({ code: 'custom', message: 'mac.invalid' });
  return z.NEVER;
});

export const TimeZone = z.string().max(64).refine(isTimeZone, 'timeZone.invalid');

/** One of a device's screens, in a query string. */
export const ScreenQuery = z.object({ screen: Screen.default('main') });

/** When a release may play, by the wall clock of the device. Weekdays are ISO 8601: 1 Monday … 7 Sunday. */
export const Schedule = z
  .object({
    from: GivenDate('schedule.date').nullish(),
    to: GivenDate('schedule.date').nullish(),
    weekdays: z.array(z.number().int().min(1).max(7)).max(7).nullish(),
    hours: z.array(ClockHours).max(24).nullish(),
  })
  .refine((schedule) => !schedule.from || !schedule.to || schedule.from <= schedule.to, {
    path: ['to'],
    error: 'schedule.order',
  });
export type Schedule = z.output<typeof Schedule>;

/** Physical screens of a device, in CSS pixels: how many, or each with its size. */
export const DeviceScreen = z.object({
  name: Screen.optional(),
  width: z.number().int().min(1).max(32_768).optional(),
  height: z.number().int().min(1).max(32_768).optional(),
});
export type DeviceScreen = z.output<typeof DeviceScreen>;
export const DeviceScreens = z.union([
  z.array(DeviceScreen).min(1).max(2),
  z
    .number()
    .int()
    .min(1)
    .max(2)
    .transform((count): DeviceScreen[] => Array.from({ length: count }, () => ({}))),
]);

export const EnrolBody = z.object({
  mac: Mac,
  enrolmentKey: z.string().max(200).nullish(),
  /** The main one first. Left out: the known ones stay. */
  screens: DeviceScreens.optional(),
  timeZone: TimeZone.optional(),
  player: z.object({ version: z.string().max(50), kind: z.string().max(50) }).optional(),
  /** For the signatures of its plays; another one than before begins a new chain. Left out: the known one stays. */
  publicKey: SigningKey.nullish(),
});
export type EnrolBody = z.input<typeof EnrolBody>;

/** `qr` is the text of the QR code: the web's address with MAC and code. `expiresIn` in seconds. */
export const EnrolState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pairing'), code: z.string(), qr: z.string(), expiresIn: z.number().int() }),
  z.object({ state: z.literal('paired') }),
]);
export type EnrolState = z.output<typeof EnrolState>;

/** One item of a region's playlist as a device plays it. */
export const ProgrammeItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    sha256: z.string(),
    media: Media,
    /** How long an image stays; a video's own length. */
    durationMs: z.number().int(),
  }),
]);
export type ProgrammeItem = z.output<typeof ProgrammeItem>;

/** SHA-256 of the content that an item shows, by which its plays are reported. */
export function contentOf(item: ProgrammeItem): string {
  switch (item.kind) {
    case 'file':
      return item.sha256;
  }
}

/**
 * How often a campaign shows one of its creatives on a screen: by `from`, `dueBefore` spots of its flight were due, and
 * from then on one more in each `everyMs` of open time. Time is open within the schedule and the working hours.
 */
export const Pace = z.object({
  everyMs: z.number().positive(),
  from: z.iso.datetime(),
  dueBefore: z.number().min(0).optional(),
  /** Creatives of one campaign share their spots and never follow each other. */
  campaignId: z.uuid().optional(),
});
export type Pace = z.output<typeof Pace>;

/** The QR code over a programme. `address`: of the short link, relative to the server unless it has a public one. */
export const ProgrammeQr = z.object({ address: z.string(), corner: Corner, size: QrSize });
export type ProgrammeQr = z.output<typeof ProgrammeQr>;

/** The frozen copy of an ad as a device plays it. */
export const Programme = z.object({
  releaseId: z.uuid(),
  adId: z.uuid(),
  name: z.string(),
  orientation: Orientation,
  split: Split,
  playMode: PlayMode,
  showClock: z.boolean(),
  fit: Fit,
  /** Left out of releases from before there was a choice: with sound, on black. */
  muted: z.boolean().optional(),
  background: Colour.optional(),
  qr: ProgrammeQr.optional(),
  priority: Priority,
  replace: z.boolean(),
  schedule: Schedule.nullable(),
  /** When a takeover ends. Other releases end by their schedule. */
  endsAt: z.iso.datetime().nullish(),
  /** Set for campaigns: it plays when it is due instead of in turn. */
  pace: Pace.optional(),
  regions: z.partialRecord(Region, z.array(ProgrammeItem)),
});
export type Programme = z.output<typeof Programme>;

export const ManifestFile = z.object({
  sha256: z.string(),
  bytes: z.number().int(),
  mime: z.string(),
  /** Signed and relative to the server; it is not part of the version. */
  url: z.string(),
});
export type ManifestFile = z.output<typeof ManifestFile>;

/** Whether each screen of a device sounds. */
export const ScreenSound = z.object({ main: z.boolean(), secondary: z.boolean() });
export type ScreenSound = z.output<typeof ScreenSound>;
/** The same video on both screens would be heard twice. */
export const SOUND_DEFAULT: ScreenSound = { main: true, secondary: false };

/** The spots of a paced release that a screen has played, and when the last of them began. */
export const CountedSpots = z.object({
  releaseId: z.uuid(),
  screen: Screen,
  played: z.number().min(0),
  lastAt: z.iso.datetime().nullable(),
});
export type CountedSpots = z.output<typeof CountedSpots>;

/** Everything a device needs to play. `files` are in the order in which they are needed first. */
export const Manifest = z.object({
  version: z.string(),
  device: z.object({ id: z.uuid(), mac: z.string(), name: z.string() }),
  serverTime: z.iso.datetime(),
  timeZone: z.string(),
  expired: z.boolean(),
  /** The last day on which it may play, in `timeZone`; null when there is none. It holds without a network too. */
  expiresAt: z.iso.date().nullable().default(null),
  /** Bytes a second that its downloads may take together; null leaves them all. It is not part of the version. */
  bandwidth: z.number().int().min(1).nullable().default(null),
  merchant: z.object({ username: z.string(), phone: z.string().nullable() }).nullable(),
  /** Whether each screen sounds; left out: only the main one does. */
  sound: ScreenSound.optional(),
  /** Those in force: its own or the default. Left out by servers from before there were any. */
  ...z.object(HeldHours).partial().shape,
  files: z.array(ManifestFile),
  screens: z.object({ main: z.array(Programme), secondary: z.array(Programme) }),
  /**
   * Releases withdrawn from this device recently: they are removed from the screen at once, even if their replacement is
   * not complete. Not part of the version.
   */
  withdrawn: z.array(z.uuid()).default([]),
  /** Spots that the server has counted, for a device that has lost its own count. Not part of the version. */
  spots: z.array(CountedSpots).optional(),
  /** A newer version of the device's own app; of any player app while the device has not reported which one it runs. */
  app: OfferedApp.nullable(),
});
export type Manifest = z.output<typeof Manifest>;

/** Reason why a download cannot finish, as reported by a device. */
export const DOWNLOAD_FAILURES = ['diskFull', 'checksum', 'unreachable', 'cannotPlay', 'storage', 'appFailed'] as const;

const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Now = z.object({
  releaseId: Id.nullish(),
  sha256: z.string().max(64).nullish(),
});

/** Device → server, on change and at most once a second while downloading. */
export const StatusMessage = z.object({
  type: z.literal('status').default('status'),
  manifestVersion: z.string().max(100).nullish(),
  download: z.object({
    state: z.enum(['waiting', 'downloading', 'done', 'failed']),
    doneBytes: Bytes.default(0),
    totalBytes: Bytes.default(0),
    reason: z.string().max(200).nullish(),
  }),
  playing: z.object({ main: Now.nullish(), secondary: Now.nullish() }).nullish(),
  freeBytes: Bytes.nullish(),
  player: z.object({ version: z.string().max(50), kind: z.string().max(50) }).nullish(),
  clockMs: z.number().nullish(),
});
export type StatusMessage = z.output<typeof StatusMessage>;

/** The version of a manifest to which a device added a takeover by itself: the server made none with it yet. */
export const takeoverVersion = (releaseId: string): string => `takeover ${releaseId}`;

/** Server → device. */
export const ServerMessage = z.discriminatedUnion('type', [
  /**
   * `withinMs`: many devices are notified at once, so each requests its manifest at a random moment within this time; the
   * version is then empty, because the manifests do not exist yet.
   */
  z.object({ type: z.literal('manifest'), version: z.string(), withinMs: z.number().int().min(0).optional() }),
  z.object({ type: z.literal('restart') }),
  z.object({ type: z.literal('screenshot') }),
  z.object({ type: z.literal('clear') }),
  /** Failed files are retried now. */
  z.object({ type: z.literal('retry') }),
  /** Begins as soon as its files are on the device; the manifest that contains it follows. */
  z.object({ type: z.literal('takeover'), ...Manifest.pick({ screens: true, files: true }).shape }),
  /** A takeover that has ended leaves the screens at once; the manifest without it follows. */
  z.object({ type: z.literal('takeoverEnded'), releaseId: z.uuid() }),
]);
export type ServerMessage = z.output<typeof ServerMessage>;

/** One play of one file; `at` is when it began, by the corrected clock. */
export const Play = z.object({
  releaseId: z.uuid(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  at: GivenTime,
  durationMs: z.number().int().min(0).max(86_400_000),
  screen: Screen.default('main'),
});
export type Play = z.output<typeof Play>;

/** A play as it is reported and signed: a device with one screen may leave it out. */
export const ReportedPlay = Play.extend({ screen: Screen.optional() });
export type ReportedPlay = z.output<typeof ReportedPlay>;

/**
 * `signature`: of the canonical JSON of `{ device, seq, previous, plays }` by the key that the device registered. Without
 * one the plays count as well, but nothing proves them.
 */
export const PlaysBody = z
  .object({
    batch: z.uuid(),
    plays: z.array(ReportedPlay).max(PLAYS_A_BATCH_MAX, 'plays.tooMany'),
    seq: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    previous: Sha256.nullish(),
    signature: GivenSignature.nullish(),
  })
  .refine(({ signature, seq }) => !signature || seq !== undefined, { path: ['seq'] });
export type PlaysBody = z.output<typeof PlaysBody>;

/**
 * Why a play is rejected. `unknown`: the device never had this file in this release, or not for this screen; `future`: it
 * has not ended yet; `early`: it began before the device had the release; `forgotten`: it began before plays of the device
 * that are no longer on record, so that it may have been counted before; `overlap`: its region showed something else at that
 * time; `short`: a spot of a campaign that lasted less than a tenth of a second.
 */
export const PlayRefusal = z.enum(['unknown', 'future', 'early', 'forgotten', 'overlap', 'short']);
export type PlayRefusal = z.output<typeof PlayRefusal>;

/** Which plays of a report count: those on record now. `reasons` names each of the others by its index. */
export const PlaysTaken = z.object({
  accepted: z.number().int(),
  rejected: z.number().int(),
  reasons: z.array(z.object({ index: z.number().int(), reason: PlayRefusal })).optional(),
});
export type PlaysTaken = z.output<typeof PlaysTaken>;

export const player = routeTable({
  enrol: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/player/enrol',
    access: 'open',
    summary:
      "Report screens, time zone and player at each start, with the device's own secret as bearer token; an unpaired device receives a pairing code",
    body: EnrolBody,
    errors: ['UNAUTHENTICATED', 'TOO_MANY'],
    response: EnrolState,
  },
  manifest: {
    method: 'GET',
    url: '/api/player/manifest',
    access: 'device',
    summary: "The device's manifest: files to store and playlists to play; If-None-Match answers 304",
    alsoAnswers: [304],
    response: Manifest,
  },
  socket: {
    method: 'GET',
    url: '/api/player/socket',
    access: 'device',
    summary: "The device's WebSocket connection (protocols `ams`, `<token>`)",
    response: raw('websocket'),
  },
  status: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/player/status',
    access: 'device',
    perMinute: 120,
    maxBytes: STATUS_MAX_BYTES,
    summary: 'Report the status, for devices without a WebSocket',
    body: StatusMessage,
    response: Nothing,
  },
  plays: {
    method: 'POST',
    url: '/api/player/plays',
    access: 'device',
    summary:
      'Report plays, signed or not; repeated plays are counted once, impossible plays are rejected with a reason, and nothing counts of a batch whose signature is wrong',
    body: PlaysBody,
    // The device was deleted meanwhile.
    errors: ['NOT_FOUND', 'BAD_PLAY_SIGNATURE'],
    response: PlaysTaken,
  },
  screenshot: {
    method: 'POST',
    url: '/api/player/screenshot',
    access: 'device',
    perMinute: 60,
    maxBytes: SCREENSHOT_MAX_BYTES,
    bodyType: 'image/jpeg',
    summary: 'Upload a screenshot as JPEG',
    query: ScreenQuery,
    // The device was deleted meanwhile.
    errors: ['NOT_FOUND'],
    response: Nothing,
  },
  app: {
    method: 'GET',
    url: '/api/player/app',
    access: 'device',
    summary: 'The newest published app version above the installed one, or null',
    query: InstalledApp,
    response: OfferedApp.nullable(),
  },
});
