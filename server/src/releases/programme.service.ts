import './releases.tables.ts';
import {
  type DeviceProgramme,
  type DeviceVerdict,
  type Explained,
  explainHeld,
  type Held,
  type HeldVerdict,
  isExpired,
  isWithinHours,
  type PlayMode,
  type ProgrammeEntry,
  type Screen,
  type ScreenDifference,
  type UserRef,
} from '@ams/contract';
import { sql } from 'kysely';
import {
  delivery,
  type DeviceReport,
  getReport,
  hasStarted,
  heldOn,
  type HeldRelease,
  oncePlayed,
  paceOf,
  rank,
  verdictOn,
} from '../devices/verdict.service.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { inScope } from '../platform/auth/scope.ts';

type Row = Omit<ProgrammeEntry, 'verdict' | 'reported'> &
  Pick<HeldRelease, 'once' | 'pace'> & { onScreen: Screen | null };

/** The moment that a programme is asked for, milliseconds since 1970. */
interface Moment {
  at: number;
  isNow: boolean;
}

/**
 * The programme of a device at an instant (milliseconds since 1970; undefined: now), with reasons: its releases at that
 * time under the current rules. What the device holds and reports counts for now only: it is unknown for other times.
 */
export async function programmeAt(
  db: Db,
  viewer: Viewer,
  deviceId: string,
  given: number | undefined,
): Promise<DeviceProgramme> {
  const moment = { at: given ?? Date.now(), isNow: given === undefined };
  const report = await getReport(db, viewer, deviceId);
  const releases = await releasesAt(db, viewer, deviceId, new Date(moment.at));
  const explained = {
    main: explainOn('main', releases, report, moment),
    secondary: explainOn('secondary', releases, report, moment),
  };
  const expired = isExpired(report.expiresOn, report.timeZone, moment.at);
  const isDark = !isWithinHours(report.workingHours, moment.at, report.timeZone);
  const toEntries = (screen: Screen): ProgrammeEntry[] => {
    const reported = moment.isNow ? report.playing[screen]?.releaseId : undefined;
    return explained[screen].toReversed().map((each) => toEntry(each, each.programme.id === reported));
  };
  const screens = { main: toEntries('main'), secondary: toEntries('secondary') };
  const differs = (screen: Screen) =>
    moment.isNow ? differenceOn(screen, expired || isDark ? [] : screens[screen], report) : null;
  return {
    at: new Date(moment.at).toISOString(),
    timeZone: report.timeZone,
    expired,
    verdict: judge([...screens.main, ...screens.secondary], expired, report, moment),
    differences: { main: differs('main'), secondary: differs('secondary') },
    screens,
  };
}

/** The releases of a screen, oldest first, with their verdicts. */
function explainOn(
  screen: Screen,
  releases: readonly Row[],
  { timeZone }: DeviceReport,
  { at, isNow }: Moment,
): Explained<Row, HeldVerdict<Row>>[] {
  const held = (release: Row): Held => {
    if (isNow) return heldOn(release, screen, at, timeZone);
    // Past plays count for future times, not for earlier ones.
    const isFinished = at > Date.now() && heldOn(release, screen, at, timeZone).isFinished;
    return { isWhole: true, isFinished };
  };
  const here = releases.filter(({ onScreen }) => onScreen === null || onScreen === screen);
  return explainHeld(
    here.map((release) => ({ ...release, ...held(release) })),
    at,
    timeZone,
  );
}

function judge(
  entries: readonly ProgrammeEntry[],
  isExpiredThen: boolean,
  { online, failure, workingHours, timeZone }: DeviceReport,
  { at, isNow }: Moment,
): DeviceVerdict {
  const facts = {
    isOnline: online || !isNow,
    isExpired: isExpiredThen,
    releases: entries.map(({ verdict }) => verdict.kind),
  };
  return verdictOn({ ...facts, failure: isNow ? failure : null, workingHours, timeZone }, at);
}

/** How the report of a screen differs from what the rules let play there, and why. */
function differenceOn(
  screen: Screen,
  entries: readonly ProgrammeEntry[],
  report: DeviceReport,
): ScreenDifference | null {
  const shown = report.playing[screen];
  const plays = entries.filter(({ verdict }) => verdict.kind === 'plays');
  // Between the spots of campaigns a screen without other releases is empty.
  const agrees = shown?.releaseId
    ? plays.some(({ reported }) => reported)
    : plays.every(({ campaignId }) => campaignId);
  // A device with one screen reports nothing of another.
  if (agrees || !shown) return null;
  return { reported: shown.ad, because: reasonOf(report) };
}

function reasonOf({ live, failure, isCurrent }: DeviceReport): ScreenDifference['because'] {
  if (!live) return 'stale';
  if (failure !== null) return 'failed';
  return isCurrent ? 'unknown' : 'switching';
}

function toEntry(
  {
    programme: { onScreen: _onScreen, once: _once, pace: _pace, ...release },
    verdict,
  }: Explained<Row, HeldVerdict<Row>>,
  reported: boolean,
): ProgrammeEntry {
  return { ...release, reported, verdict: verdict.kind === 'outranked' ? { ...verdict, by: verdict.by.id } : verdict };
}

/** When a release `r` was taken back from a device `rd`: from it alone or from all. */
const takenBack = sql`least(r.withdrawn_at, rd.withdrawn_at)`;

/** The releases that a device had at an instant, oldest first; those withdrawn since count. */
const releasesAt = (db: Db, viewer: Viewer, deviceId: string, at: Date): Promise<Row[]> =>
  db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .innerJoin('devices_now as d', 'd.id', 'rd.device_id')
    .select(['r.id', 'r.priority', 'r.replace', 'r.schedule', 'r.screen as onScreen'])
    .select(sql<Row['ad']>`jsonb_build_object('id', r.ad_id, 'name', r.ad_name)`.as('ad'))
    .select(sql<PlayMode>`r.programme ->> 'playMode'`.as('playMode'))
    .select(paceOf.as('pace'))
    .select('r.campaign_id as campaignId')
    .select(userRef<UserRef | null>(sql`r.operator_id`).as('operator'))
    .select(
      iso(sql`r.ends_at`)
        .$castTo<string | null>()
        .as('endsAt'),
    )
    .select(iso(sql`r.released_at`).as('releasedAt'))
    .select(iso(takenBack).$castTo<string | null>().as('withdrawnAt'))
    .select(inScope(viewer, sql`r.owner_id`).as('open'))
    .select(delivery.as('here'))
    .select(oncePlayed.as('once'))
    .where('rd.device_id', '=', deviceId)
    .where(hasStarted)
    .where(sql<boolean>`date_trunc('milliseconds', rd.started_at) <= ${at}`)
    .where(sql<boolean>`coalesce(date_trunc('milliseconds', ${takenBack}) > ${at}, true)`)
    .orderBy(rank)
    .orderBy('r.id')
    .execute();
