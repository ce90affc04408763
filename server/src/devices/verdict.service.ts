import './devices.tables.ts';
import {
  AppError,
  type DeviceFacts,
  type DeviceVerdict,
  type Held,
  type LastPlay,
  type PlayMode,
  type Priority,
  type Programme,
  type ReleaseState,
  type Schedule,
  type Screen,
  deviceVerdict,
  explainHeld,
  hasPlayedOnce,
  isWithinHours,
  nextHoursChange,
  type WorkingHours,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { covers } from '../platform/auth/authority.ts';
import { inScope } from '../platform/auth/scope.ts';
import { type Db, iso } from '../platform/database/database.ts';
import { hoursInForce } from './hours.service.ts';

/**
 * How far a device `d` is with a release `rd`: planned until its step begins; done once it reported,
 * itself, a version made when the release was part of it. Later changes to the device do not undo that. Missed if the
 * release was taken back before.
 */
export const delivery = sql<ReleaseState>`case
  when rd.missed then 'missed'
  when rd.revision is null then 'planned'
  when d.done_revision >= rd.revision then 'done'
  when d.reported_revision < rd.revision then 'waiting'
  when d.download ->> 'state' = 'failed' then 'failed'
  when d.download ->> 'state' = 'downloading' then 'downloading'
  else 'waiting' end`;

/** Whether a release `rd` that is taken back now was not done: later reports are about content without it. */
export const isMissed = sql<boolean>`(rd.revision is null or not exists (
  select from device_revisions c where c.device_id = rd.device_id and c.done_revision >= rd.revision))`;

/** Whether a release `r` may play: devices hold the files of a prepared takeover and do not play it. */
export const hasStarted = sql<boolean>`(r.priority <> 'takeover' or r.ends_at is not null)`;

/** The place of a release `r` among those of a device: later ones come before earlier ones. */
export const rank = sql`coalesce(r.rank_at, r.released_at)`;

/** Whether what a device `d` (`devices_now`) reports that it plays is true now. */
export const isReporting = sql<boolean>`d.online and not d.silent and d.playing_at is not null`;

/** Whether a device `d` has reported since its programme last changed. */
export const isReportCurrent = sql<boolean>`d.reported_revision >= d.revision`;

/** Why a device `d` (`devices_now`) cannot get or play what it should hold, as it reports; null when it reports none. */
export const reportedFailure = sql<string | null>`
  case when not d.done and d.reported_revision >= d.revision and d.download ->> 'state' = 'failed'
    then coalesce(d.download ->> 'reason', 'unreachable') end`;

/**
 * Whether the report of a device `d` may name a release `r` of its own (`rd`): one that it should hold, or that belongs to
 * its owner or somebody above or below. A device that got another owner shows what it had until it learns that this was
 * withdrawn.
 */
const isNamed = sql<boolean>`(rd.withdrawn_at is null and r.withdrawn_at is null
  or ${covers(sql`r.owner_id`, sql`d.owner_id`)} or ${covers(sql`d.owner_id`, sql`r.owner_id`)})`;

/** Reported content of one screen, with its ad. */
export const nowPlaying = (screen: Screen) => sql<{
  releaseId: string | null;
  sha256: string | null;
  ad: { id: string; name: string } | null;
} | null>`
  case when jsonb_typeof(d.playing -> ${sql.lit(screen)}) = 'object' then jsonb_build_object(
    'releaseId', d.playing -> ${sql.lit(screen)} -> 'releaseId',
    'sha256', d.playing -> ${sql.lit(screen)} -> 'sha256',
    'ad', (select jsonb_build_object('id', r.ad_id, 'name', r.ad_name) from releases r
      -- The device's report is not trusted: only what was released to it is named.
      join release_devices rd on rd.release_id = r.id and rd.device_id = d.id
      where r.id = (d.playing -> ${sql.lit(screen)} ->> 'releaseId')::uuid and ${isNamed})
  ) end`;

/** The part of a device's report on which the verdict and its screens depend. */
export interface DeviceReport {
  timeZone: string;
  expiresOn: string | null;
  /** Those in force. */
  workingHours: WorkingHours | null;
  online: boolean;
  /** It still reports what is on its screens. */
  live: boolean;
  /** It has received the newest change. */
  isCurrent: boolean;
  failure: string | null;
  /** The content of each screen; null for a screen that it does not report. */
  playing: Record<Screen, { releaseId: string | null; ad: { id: string; name: string } | null } | null>;
}

/** The report of a device in scope. Throws `NOT_FOUND`. */
export async function getReport(db: Db, viewer: Viewer, deviceId: string): Promise<DeviceReport> {
  const report = await db
    .selectFrom('devices_now as d')
    .select(['d.time_zone as timeZone', 'd.expires_on as expiresOn', 'd.online'])
    .select(hoursInForce.as('workingHours'))
    .select(isReporting.as('live'))
    .select(isReportCurrent.as('isCurrent'))
    .select(reportedFailure.as('failure'))
    .select(nowPlaying('main').as('main'))
    .select(nowPlaying('secondary').as('secondary'))
    .where('d.id', '=', deviceId)
    .where(inScope(viewer, sql`d.owner_id`))
    .executeTakeFirst();
  if (!report) throw new AppError('NOT_FOUND');
  const { main, secondary, ...rest } = report;
  return { ...rest, playing: { main, secondary } };
}

/** A release on a device, as far as its verdict depends on it. `screen`: null for both. */
export interface HeldRelease {
  screen: Screen | null;
  priority: Priority;
  replace: boolean;
  schedule: Schedule | null;
  endsAt: string | null;
  playMode: PlayMode;
  /** Null unless it shows spots of a campaign. */
  pace: object | null;
  here: ReleaseState;
  /** Null unless it plays once. */
  once: OncePlayed | null;
}

interface OncePlayed {
  programme: Pick<Programme, 'orientation' | 'split' | 'regions'>;
  plays: LastPlay[];
}

/** The plays of a release `r` that plays once on a device `rd`; null for other releases. */
export const oncePlayed = sql<OncePlayed | null>`
  case when r.programme ->> 'playMode' = 'once' then jsonb_build_object('programme', r.programme, 'plays', (
    select coalesce(jsonb_agg(last), '[]') from (
      select distinct on (i.id) i.sha256, i.screen, s.day, h.nth - 1 as hour
      from play_items i join play_item_days s on s.item_id = i.id and s.device_id = rd.device_id
        cross join unnest(s.hour_plays) with ordinality h(plays, nth)
      where i.release_id = r.id and h.plays > 0
      order by i.id, s.day desc, h.nth desc) last)) end`;

/** Whether a release `r` plays at the pace of a campaign, as rules read it. */
export const paceOf = sql<object | null>`case when r.campaign_id is not null then '{}'::jsonb end`;

/** The releases that a device `d` should hold now, oldest first. */
export const heldReleases: RawBuilder<HeldRelease[]> = sql<HeldRelease[]>`
  (select coalesce(jsonb_agg(jsonb_build_object('screen', r.screen, 'priority', r.priority, 'replace', r.replace,
      'schedule', r.schedule, 'endsAt', ${iso(sql`r.ends_at`)}, 'playMode', r.programme ->> 'playMode', 'pace', ${paceOf}, 'here', ${delivery}, 'once', ${oncePlayed})
      order by ${rank}, r.id), '[]')
    from release_devices rd join releases r on r.id = rd.release_id
    where rd.device_id = d.id and rd.revision is not null and r.withdrawn_at is null and rd.withdrawn_at is null
      and ${hasStarted})`;

/** The input of the rules for a release on one screen of a device at `now`, milliseconds since 1970. */
export const heldOn = (
  { here, once, schedule }: Pick<HeldRelease, 'here' | 'once' | 'schedule'>,
  screen: Screen,
  now: number,
  timeZone: string,
): Held => ({
  isWhole: here === 'done',
  isFinished:
    once !== null &&
    hasPlayedOnce({ ...once.programme, playMode: 'once', schedule }, screen, once.plays, now, timeZone),
});

interface Judged {
  online: boolean;
  expired: boolean;
  /** Why it cannot get or play what it should hold; null when it reports no failure. */
  failure: string | null;
  timeZone: string;
  /** Its own, or null where those of its owner hold. */
  workingHours: WorkingHours | null;
  defaultHours: WorkingHours | null;
  releases: HeldRelease[];
}

/** The verdicts on the releases of both screens, at `now`. */
function verdictsOf({ releases, timeZone }: Judged, now: number): DeviceFacts['releases'] {
  if (releases.length === 0) return [];
  return (['main', 'secondary'] as const).flatMap((screen) => {
    const here = releases.filter((release) => release.screen === null || release.screen === screen);
    const held = here.map((release) => ({ ...release, ...heldOn(release, screen, now, timeZone) }));
    return explainHeld(held, now, timeZone).map(({ verdict }) => verdict.kind);
  });
}

/** Facts about a device at an instant, and the hours and the failure that its verdict names. */
interface Facts extends Omit<DeviceFacts, 'hasFailed' | 'isWithinHours'> {
  failure: string | null;
  workingHours: WorkingHours | null;
  timeZone: string;
}

/** The one verdict on a device at `now`, milliseconds since 1970. */
export function verdictOn(facts: Facts, now: number): DeviceVerdict {
  const { isOnline, isExpired, releases, failure, workingHours, timeZone } = facts;
  const isWithin = isWithinHours(workingHours, now, timeZone);
  const kind = deviceVerdict({ isOnline, isExpired, releases, isWithinHours: isWithin, hasFailed: failure !== null });
  const until = kind === 'dark' ? nextHoursChange(workingHours, now, timeZone) : null;
  return {
    kind,
    reason: kind === 'failed' ? failure : null,
    until: until === null ? null : new Date(until).toISOString(),
  };
}

/** The one verdict on a device as it is, at `now`, milliseconds since 1970. */
export function judgeDevice(device: Judged, now: number): DeviceVerdict {
  const { online, expired, failure, timeZone } = device;
  const workingHours = device.workingHours ?? device.defaultHours;
  const releases = verdictsOf(device, now);
  return verdictOn({ isOnline: online, isExpired: expired, releases, failure, workingHours, timeZone }, now);
}
