import './devices.tables.ts';
import {
  addDays,
  AppError,
  type DeviceFilter,
  EXPIRY_WARNING_DAYS,
  expiryInstant,
  type InstalledApp,
  localTime,
  STALLED_MINUTES,
  type TagFilter,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../platform/process/deps.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, type EventMessage, publish } from '../platform/events/events.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import { type DeviceSet, findDeviceSet } from '../groups/groups.service.ts';
import { inScope, inScopeEach, type Scoped } from '../platform/auth/scope.ts';
import type { Settings } from './devices.tables.ts';
import { isDark } from './dark.service.ts';
import { isOffline, isOnline } from './online.sql.ts';

export { areBack } from './online.sql.ts';
import { found, foundEach } from './search.queries.ts';

const SOON = sql`now() + make_interval(hours => 24 * ${sql.lit(EXPIRY_WARNING_DAYS)})`;

/** The conditions of filters on a row `d` of `devices_now`, in its columns: the view's expressions have no index. */
export const FILTERS = {
  online: isOnline,
  offline: isOffline,
  done: sql<boolean>`not exists (select from device_waits w where w.device_id = d.id)`,
  waiting: sql<boolean>`exists (select from device_waits w where w.device_id = d.id)`,
  expired: sql<boolean>`d.expires_at <= now()`,
  expiring: sql<boolean>`(d.expires_at > now() and d.expires_at <= ${SOON})`,
  valid: sql<boolean>`(d.expires_at > ${SOON} or d.expires_at is null)`,
  failed: sql<boolean>`exists (select from device_waits w where w.device_id = d.id and w.failed)`,
  paired: sql<boolean>`d.paired_at is not null`,
  unpaired: sql<boolean>`d.paired_at is null`,
};

/** Whether content has been waiting for long, by its row `w` of `device_waits`. */
export const isLongWait = sql<boolean>`(not w.failed and
  date_bin('15 minutes', w.since, 'epoch'::timestamptz) <= now() - make_interval(mins => ${sql.lit(STALLED_MINUTES)}))`;

/** Content that waits for long on a device that could fetch it. */
const isStalled = sql<boolean>`(${FILTERS.online} and exists (
  select from device_waits w where w.device_id = d.id and ${isLongWait}))`;

/** A device filter whose group was read, so that it is a condition. */
export type ResolvedFilter = Omit<DeviceFilter, 'group'> & { group?: DeviceSet | undefined };

/** Reads the group of a filter. Throws `NOT_FOUND` when it is not in scope. */
export async function resolveFilter<T extends DeviceFilter>(
  db: Db,
  viewer: Scoped,
  { group, ...rest }: T,
): Promise<Omit<T, 'group'> & { group?: DeviceSet | undefined }> {
  return group === undefined ? rest : { ...rest, group: await findDeviceSet(db, viewer, group) };
}

/** The condition that a row `d` of `devices_now` is in scope and shown by the filter. */
export const matches = (viewer: Scoped, filter: ResolvedFilter): RawBuilder<boolean> =>
  sql<boolean>`(${inScope(viewer, sql`d.owner_id`)} and ${isShown(filter)})`;

/** The same for devices that are met one after the other, with `isShownEach`. */
export const matchesEach = (viewer: Scoped, filter: ResolvedFilter): RawBuilder<boolean> =>
  sql<boolean>`(${inScopeEach(viewer, sql`d.owner_id`)} and ${isShownEach(filter)})`;

/** The live releases `r` of an ad to devices, in `rd`. */
const liveWith = (ad: string) => sql`
  release_devices rd join releases r on r.id = rd.release_id
  where r.ad_id = ${ad}::uuid and r.withdrawn_at is null and rd.withdrawn_at is null`;

/** The devices that have a live release of an ad. */
export const devicesWith = (ad: string) => sql`select rd.device_id as id from ${liveWith(ad)}`;

/** Those that have begun and are neither default content nor a takeover nor of a campaign. */
const releasedWith = (ad: string) => sql`${liveWith(ad)}
  and rd.revision is not null and r.priority in ('normal', 'urgent') and r.campaign_id is null`;

/** The devices to which an ad was released, where the release has begun. */
export const devicesReleased = (ad: string) => sql`select rd.device_id as id from ${releasedWith(ad)}`;

/** Conditions on the tags of a row `d`. `tags <> '{}'` is in the words of the index. */
function* tagConditions({ all, any, none }: TagFilter): Generator<RawBuilder<boolean>> {
  if (all?.length) yield sql<boolean>`(d.tags @> ${all}::text[] and d.tags <> '{}')`;
  if (any) yield sql<boolean>`(d.tags && ${any}::text[] and d.tags <> '{}')`;
  if (none?.length) yield sql<boolean>`not d.tags && ${none}::text[]`;
}

const allOf = (conditions: Iterable<RawBuilder<boolean>>): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`;

/** The condition that a row `d` has these tags. */
export const isTagged = (tags: TagFilter): RawBuilder<boolean> => allOf(tagConditions(tags));

/** Conditions that PostgreSQL weighs, on a row `d` of `devices_now`. */
function* plainConditions(filter: ResolvedFilter): Generator<RawBuilder<boolean>> {
  if (filter.owner) yield sql<boolean>`d.owner_id = ${filter.owner}`;
  if (filter.online !== undefined) yield filter.online ? FILTERS.online : FILTERS.offline;
  if (filter.paired !== undefined) yield filter.paired ? FILTERS.paired : FILTERS.unpaired;
  if (filter.dark !== undefined) yield filter.dark ? isDark : sql<boolean>`not ${isDark}`;
  if (filter.download) yield filter.download === 'stalled' ? isStalled : FILTERS[filter.download];
  if (filter.expiry) yield FILTERS[filter.expiry];
  // In the text of the statement: with these as values, PostgreSQL plans it anew each time.
  if (filter.orientation) yield sql<boolean>`d.orientation = ${sql.lit(filter.orientation)}`;
  if (filter.fits) yield sql<boolean>`(d.orientation = ${sql.lit(filter.fits)} or d.orientation is null)`;
  if (filter.area) yield sql<boolean>`lower(d.area) = lower(${filter.area})`;
}

/** The condition that the filter shows a row `d` of `devices_now`, whoever's it is. */
export function isShown(filter: ResolvedFilter): RawBuilder<boolean> {
  const { q, ad, releasedAd, tags, group } = filter;
  const all = [...plainConditions(filter)];
  if (ad) all.push(sql<boolean>`d.id in (${devicesWith(ad)})`);
  if (releasedAd) all.push(sql<boolean>`d.id in (${devicesReleased(releasedAd)})`);
  if (tags) all.push(isTagged(tags));
  if (group) all.push(matches(group.owner, group.filter));
  if (q) all.push(found(q));
  return allOf(all);
}

/**
 * The condition of `isShown` where an index or a list of ids meets the devices one after the other: each is looked at,
 * and PostgreSQL neither guesses how many have a text, a tag or an ad, nor looks for these first. It would plan the
 * statement anew for each value.
 */
export function isShownEach(filter: ResolvedFilter): RawBuilder<boolean> {
  const { q, ad, releasedAd, tags, group } = filter;
  const all = [...plainConditions(filter)];
  if (ad) all.push(isOneOf(liveWith(ad)));
  if (releasedAd) all.push(isOneOf(releasedWith(releasedAd)));
  if (tags) all.push(evaluated(isTagged(tags)));
  if (group) all.push(matchesEach(group.owner, group.filter));
  if (q) all.push(evaluated(foundEach(q)));
  return allOf(all);
}

/** A device `d` is in these rows `rd`. */
const isOneOf = (rows: RawBuilder<unknown>) => sql<boolean>`(select true from ${rows} and rd.device_id = d.id limit 1)`;

/** A condition that PostgreSQL only evaluates. */
const evaluated = (condition: RawBuilder<boolean>) => sql<boolean>`case when ${condition} then true else false end`;

export interface Touched {
  id: string;
  owner_id: string;
}

/** A release that was withdrawn from a device; `begun`: the device had it already. */
export interface Taken {
  releaseId: string;
  deviceId: string;
  begun: boolean;
}

/** What devices lost, and the ids of those that have to fetch their content: they and their operators were told. */
export interface Matched {
  taken: Taken[];
  told: readonly string[];
}

/** Announces changed devices to the operators in whose scope they are. */
export const tellOperators = (db: Db, touched: Touched[]): Promise<void> => publish(db, ...changed('device', touched));

/** Messages that make the devices request their manifest and announce the change to operators. */
export function changedContent(touched: Touched[]): EventMessage[] {
  if (touched.length === 0) return [];
  const ids = [...new Set(touched.map((device) => device.id))];
  return [{ topic: 'manifest', ids, of: ids.length }, ...changed('device', touched)];
}

/** Makes the devices request their manifest and announces the change to operators. */
export const tellDevices = (db: Db, touched: Touched[]): Promise<void> => publish(db, ...changedContent(touched));

/**
 * The part of a statement that raises the revisions of devices `d`, and afterwards `raised`: their ids, owners and new
 * revisions. Devices are locked in order, before their revisions.
 */
export const raising = (chosen: RawBuilder<boolean>, operatorId?: string) => sql`
  locked as materialized (
    select d.id, d.owner_id from devices d where ${chosen} order by d.id for no key update
  ), raised as (
    update device_revisions c set revision = c.revision + 1,
      operator_id = coalesce(${operatorId ?? null}::uuid, c.operator_id)
    from locked l where c.device_id = l.id returning l.id, l.owner_id, c.revision
  )`;

/**
 * Marks the content of these devices as changed: it is waiting from now on, until they report the new version
 * themselves. `chosen`: ids, or a condition on `d` (devices); the caller notifies them.
 */
export async function raiseRevision(
  trx: Db,
  chosen: RawBuilder<boolean> | readonly string[],
  operatorId?: string,
): Promise<(Touched & { revision: number })[]> {
  const [condition, mark] = 'length' in chosen ? [oneOf(sql`d.id`, chosen), prepared] : [chosen, sql``];
  const { rows } = await sql<Touched & { revision: number }>`
    with ${raising(condition, operatorId)} select id, owner_id, revision from raised ${mark}`.execute(trx);
  return rows;
}

/**
 * The part of a statement that holds devices `d` in order, as a foreign key does, and afterwards `present`: the ids of
 * those that nobody deleted while it waited for them.
 */
export const holdingPresent = (chosen: RawBuilder<boolean>) => sql`
  present as materialized (select d.id from devices d where ${chosen} order by d.id for key share)`;

/** The answer of `raiseRevision`, without a change of the devices: thousands take a second. */
export async function nextRevisions(db: Db, chosen: RawBuilder<boolean>): Promise<(Touched & { revision: number })[]> {
  const { rows } = await sql<Touched & { revision: number }>`
    select d.id, d.owner_id, d.revision + 1 as revision from devices_now d where ${chosen}`.execute(db);
  return rows;
}

/** Notes who added these devices; later, those who change their content. */
export const noteOperator = (trx: Db, ids: readonly string[], operatorId: string): Promise<unknown> =>
  sql`update device_revisions set operator_id = ${operatorId} where device_id = any(${ids}::uuid[])`.execute(trx);

/** Raises the revision of the devices `d` that a condition chooses and announces it to them. */
export async function touchDevices(db: Db, chosen: RawBuilder<boolean>, operatorId?: string): Promise<Touched[]> {
  const touched = await raiseRevision(db, chosen, operatorId);
  await tellDevices(db, touched);
  return touched;
}

/** Downloads that failed wait to be tried again. `failed` is a query of ids and owners of devices that locks them. */
export async function retryDownloads(trx: Db, failed: RawBuilder<unknown>): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    with failed as materialized (${failed})
    update device_revisions c set download = c.download - 'reason' || '{"state": "waiting"}'
    from failed f where c.device_id = f.id returning f.id, f.owner_id`.execute(trx);
  return rows;
}

/**
 * Makes the devices of these owners (a query of ids) request their manifest again: their merchant, its phone number or
 * the apps offered to them have changed. Their content stays the same, so none is pending.
 */
export async function tellDevicesOf(db: Db, owners: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Touched>`select id, owner_id from devices where owner_id in (${owners})`.execute(db);
  await tellDevices(db, rows);
}

/**
 * Stores which app a device runs, for the offer in its manifest, and returns the device's owner. Throws
 * `UNAUTHENTICATED` when the device was deleted meanwhile.
 */
export async function noteInstalledApp(db: Db, id: string, { package: name, code }: InstalledApp): Promise<string> {
  const { rows } = await sql<Touched>`
    update devices set app_package = ${name}, app_code = ${code}
    where id = ${id} and (app_package, app_code) is distinct from (${name}::text, ${code}::bigint)
    returning id, owner_id`.execute(db);
  if (rows.length > 0) await tellDevices(db, rows);
  const device = await db.selectFrom('devices').select('owner_id').where('id', '=', id).executeTakeFirst();
  if (!device) throw new AppError('UNAUTHENTICATED');
  return device.owner_id;
}

/** Notifies devices that have expired or were extended since the last notification: all, or those among `ids`. */
export const tellExpired = (db: Db, ids?: string[]): Promise<unknown> =>
  sql<Touched>`
    with told as (
      update devices set expired_told = coalesce(expires_at <= now(), false)
      where ((not expired_told and expires_at <= now()) or (expired_told and (expires_at > now() or expires_at is null)))
        and ${ids ? sql`id = any(${ids}::uuid[])` : sql`true`}
      returning id, owner_id
    )
    update device_revisions c set revision = c.revision + 1 from told t where c.device_id = t.id
    returning t.id, t.owner_id`
    .execute(db)
    .then(({ rows }) => tellDevices(db, rows));

/** The columns of an expiry date: the day, and the first instant after it in the device's time zone. */
export const expiryColumns = (expiresOn: string | null, timeZone: string) => ({
  expires_on: expiresOn,
  expires_at: expiresOn === null ? null : new Date(expiryInstant(expiresOn, timeZone)),
});

/** Expiry columns for many devices: each date and zone is computed once. */
export function expiries() {
  const known = new Map<string, ReturnType<typeof expiryColumns>>();
  return ({ expiresOn, timeZone }: Pick<Settings, 'expiresOn' | 'timeZone'>) => {
    const key = `${expiresOn} ${timeZone}`;
    const columns = known.get(key) ?? expiryColumns(expiresOn, timeZone);
    known.set(key, columns);
    return columns;
  };
}

/** The expiry date of a device that is new today. */
export const trialEnd = ({ trialDays }: Pick<Config, 'trialDays'>, timeZone: string): string =>
  addDays(localTime(Date.now(), timeZone).date, trialDays);
