import './releases.tables.ts';
import {
  AppError,
  type DeviceProgramme,
  type Explained,
  explainPlaying,
  isExpired,
  type PlayMode,
  type ProgrammeEntry,
  type Screen,
  type UserRef,
} from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { inScope } from '../platform/auth/scope.ts';
import { rank } from './releases.queries.ts';

type Row = Omit<ProgrammeEntry, 'verdict'> & { onScreen: Screen | null };

/** The programme of a device at an instant (milliseconds since 1970), with reasons: its releases at that time under the current rules. */
export async function programmeAt(db: Db, viewer: Viewer, deviceId: string, at: number): Promise<DeviceProgramme> {
  const device = await db
    .selectFrom('devices as d')
    .select(['d.time_zone as timeZone', 'd.expires_on as expiresOn'])
    .where('d.id', '=', deviceId)
    .where(inScope(viewer, sql`d.owner_id`))
    .executeTakeFirst();
  if (!device) throw new AppError('NOT_FOUND');
  const releases = await releasesAt(db, viewer, deviceId, new Date(at));
  const on = (screen: Screen): ProgrammeEntry[] =>
    explainPlaying(
      releases.filter(({ onScreen }) => onScreen === null || onScreen === screen),
      at,
      device.timeZone,
    )
      .toReversed()
      .map(toEntry);
  return {
    at: new Date(at).toISOString(),
    timeZone: device.timeZone,
    expired: isExpired(device.expiresOn, device.timeZone, at),
    screens: { main: on('main'), secondary: on('secondary') },
  };
}

function toEntry({ programme: { onScreen: _onScreen, ...release }, verdict }: Explained<Row>): ProgrammeEntry {
  return { ...release, verdict: verdict.kind === 'outranked' ? { ...verdict, by: verdict.by.id } : verdict };
}

/** When a release `r` was taken back from a device `rd`: from it alone or from all. */
const takenBack = sql`least(r.withdrawn_at, rd.withdrawn_at)`;

/** The releases that a device had at an instant, oldest first; those withdrawn since count. */
const releasesAt = (db: Db, viewer: Viewer, deviceId: string, at: Date): Promise<Row[]> =>
  db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .select(['r.id', 'r.priority', 'r.replace', 'r.schedule', 'r.screen as onScreen'])
    .select(sql<Row['ad']>`jsonb_build_object('id', r.ad_id, 'name', r.ad_name)`.as('ad'))
    .select(sql<PlayMode>`r.programme ->> 'playMode'`.as('playMode'))
    .select(userRef<UserRef | null>(sql`r.operator_id`).as('operator'))
    .select(iso(sql`r.released_at`).as('releasedAt'))
    .select(iso(takenBack).$castTo<string | null>().as('withdrawnAt'))
    .select(inScope(viewer, sql`r.owner_id`).as('open'))
    .where('rd.device_id', '=', deviceId)
    .where(sql<boolean>`date_trunc('milliseconds', rd.started_at) <= ${at}`)
    .where(sql<boolean>`coalesce(date_trunc('milliseconds', ${takenBack}) > ${at}, true)`)
    .orderBy(rank)
    .orderBy('r.id')
    .execute();
