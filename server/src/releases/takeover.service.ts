import './releases.tables.ts';
import { AppError, type DeviceChoice, type Screen, type Takeover } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { raiseRevision, tellDevices } from '../devices/devices.service.ts';
import { isMissed } from '../devices/verdict.service.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, covers } from '../platform/auth/authority.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { addJob, type Task } from '../platform/jobs/jobs.ts';
import type { StoredAd } from './order.ts';
import { createRelease, type Frozen, ONE_STEP } from './releases.service.ts';
import { withdrawAll } from './withdraw.service.ts';
import { AT_ONCE, connectedFirst, DEVICES_A_STEP, resumeSend } from './sending.service.ts';
import { countDevices, findTakeover, findUncountedTakeover } from './takeover.queries.ts';

export { listTakeoverDevices, listTakeovers } from './takeover.queries.ts';

export interface TakeoverOrder {
  devices: DeviceChoice;
  screen?: Screen | null | undefined;
}

/** A takeover in scope, without its counts. Throws `NOT_FOUND`. */
export async function requireTakeover(db: Db, viewer: Scoped, id: string) {
  const takeover = await findUncountedTakeover(db, viewer, id);
  if (!takeover) throw new AppError('NOT_FOUND');
  return takeover;
}

/** A takeover in scope. Throws `NOT_FOUND`. */
export async function getTakeover(db: Db, viewer: Scoped, id: string): Promise<Takeover> {
  const takeover = await findTakeover(db, viewer, id);
  if (!takeover) throw new AppError('NOT_FOUND');
  return takeover;
}

/** Whether an ad is prepared for a takeover, or takes over now. */
export async function isTakingOver(db: Db, adId: string): Promise<boolean> {
  const { rows } = await sql`
    select from releases where ad_id = ${adId} and priority = 'takeover' and withdrawn_at is null
      and coalesce(ends_at > now(), true) limit 1`.execute(db);
  return rows.length > 0;
}

/** A takeover that was made or started: devices change afterwards, and are counted then. */
export interface Begun {
  id: string;
  /** Its devices. */
  total: number;
}

/** Sends a frozen ad to devices as a takeover that ends at `until`; null: they hold it, and it starts later. */
export async function sendTakeover(
  trx: Db,
  viewer: Viewer,
  ad: StoredAd,
  frozen: Frozen,
  order: TakeoverOrder,
  until: Date | null,
): Promise<Begun> {
  const { id, total, touched } = await createRelease(trx, viewer, ad, frozen, {
    ...order,
    replace: true,
    priority: 'takeover',
    endsAt: until,
    ...ONE_STEP,
  });
  const action = until ? 'takeovers.start' : 'takeovers.prepare';
  const details = { devices: total, ...(until && { until: until.toISOString() }) };
  await audit(trx, viewer, { action, targetId: id, target: ad.name, details });
  if (until) await announceStart(trx, id, until);
  else await tellDevices(trx, touched);
  await publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [ad.owner.id] });
  return { id, total };
}

/** Starts a prepared takeover on those of its devices that are in the actor's scope. */
export async function startTakeover(trx: Db, viewer: Viewer & Actor, id: string, until: Date): Promise<Begun> {
  const { ad } = await requireTakeover(trx, viewer, id);
  const { rows } = await sql<{ owner_id: string }>`
    update releases set ends_at = ${until}, rank_at = now(), operator_id = ${viewer.id}
    where id = ${id} and ends_at is null and withdrawn_at is null returning owner_id`.execute(trx);
  const [started] = rows;
  if (!started) throw new AppError('CHANGED_MEANWHILE');
  const mine = inScope(viewer, sql`d.owner_id`);
  await resumeSend(trx, id, sql<boolean>`not exists (select from devices d where d.id = p.id and ${mine})`);
  const { total, others } = await countDevices(trx, viewer, id);
  if (others > 0)
    await sql`
      update release_devices rd set withdrawn_at = now(), missed = ${isMissed} from devices d
      where rd.release_id = ${id} and rd.withdrawn_at is null and d.id = rd.device_id and not ${mine}`.execute(trx);
  if (total === 0) throw new AppError('NO_DEVICES');
  const details = { devices: total, until: until.toISOString() };
  await audit(trx, viewer, { action: 'takeovers.start', targetId: id, target: ad.name, details });
  await announceStart(trx, id, until);
  if (total > AT_ONCE) await queueSettling(trx);
  await publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [started.owner_id] });
  return { id, total };
}

/** Whether a device `d` has not been given the revision with a takeover `r` that has started (`rd`). */
const isUnsettled = sql<boolean>`(rd.withdrawn_at is null and r.withdrawn_at is null and r.ends_at is not null
  and (d.revision < rd.revision or rd.started_at < coalesce(r.rank_at, r.released_at)))`;

/** The devices that have a started takeover `r` (of a condition) which is not part of their manifests, connected ones first. */
async function findUnsettled(db: Db, chosen: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select ${connectedFirst}::text[] as ids from (
      select distinct d.id, d.lease from release_devices rd join releases r on r.id = rd.release_id
        join devices_now d on d.id = rd.device_id where ${chosen} and ${isUnsettled}) d`.execute(db);
  return rows[0]?.ids ?? [];
}

/**
 * Makes started takeovers part of the manifests of their devices, which were notified before: changing thousands of
 * devices takes a second. Those that were handed over at the same moment are left out. Done twice, it changes nothing more.
 */
async function settleThose(db: Db, chosen: RawBuilder<boolean>, stopping?: AbortSignal): Promise<void> {
  const ids = await findUnsettled(db, chosen);
  for (let start = 0; start < ids.length; start += DEVICES_A_STEP) {
    stopping?.throwIfAborted();
    await settle(db, ids.slice(start, start + DEVICES_A_STEP));
  }
}

export const settleTakeovers = (db: Db, stopping?: AbortSignal): Promise<void> =>
  settleThose(db, sql<boolean>`true`, stopping);

/** The same for one that was just begun, unless a job does it: its devices are many. */
export const settleBegun = async (db: Db, { id, total }: Begun): Promise<void> => {
  if (total <= AT_ONCE) await settleThose(db, sql<boolean>`r.id = ${id}`);
};

const settle = (db: Db, deviceIds: readonly string[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select r.id from releases r where r.withdrawn_at is null and r.ends_at is not null order by r.id for no key update`.execute(
      trx,
    );
    const theirs = sql`r.id = any(${rows.map(({ id }) => id)}::uuid[]) and rd.release_id = r.id
      and rd.device_id = any(${deviceIds}::uuid[])`;
    await sql`
      update release_devices rd set withdrawn_at = now(), missed = ${isMissed} from releases r, devices_now d
      where ${theirs} and d.id = rd.device_id and ${isUnsettled}
        and not ${covers(sql`coalesce(r.operator_id, r.owner_id)`, sql`d.owner_id`)}`.execute(trx);
    const touched = await raiseRevision(
      trx,
      sql<boolean>`d.id in (select d.id from release_devices rd, releases r, devices_now d
        where ${theirs} and d.id = rd.device_id and ${isUnsettled})`,
    );
    // The condition as it was: a device that another change reached meanwhile has this revision, too.
    await sql`
      update release_devices rd set revision = t.revision, started_at = greatest(rd.started_at, coalesce(r.rank_at, r.released_at))
      from releases r, unnest(${touched.map(({ id }) => id)}::uuid[], ${touched.map(({ revision }) => revision)}::bigint[]) t(id, revision)
      where ${theirs} and rd.device_id = t.id and rd.withdrawn_at is null`.execute(trx);
    await tellDevices(trx, touched);
  });

/** Ends a takeover now, or discards a prepared one; doing it twice changes nothing more. */
export async function endTakeover(trx: Db, viewer: Viewer & Actor, id: string): Promise<void> {
  const { ad } = await requireTakeover(trx, viewer, id);
  const ended = await withdrawAll(trx, viewer, sql<boolean>`id = ${id}`);
  if (ended > 0) await audit(trx, viewer, { action: 'takeovers.end', targetId: id, target: ad.name });
}

/** Connected devices get it at once, and it ends by itself. The push comes before all other messages. */
async function announceStart(trx: Db, id: string, until: Date): Promise<void> {
  await publish(trx, { topic: 'takeover', ids: [id] });
  await addJob(trx, 'takeovers_end', {}, { key: `takeovers_end ${id}`, at: until });
}

/** The push to many devices takes this long: what can wait must not slow it down. */
const PUSH_MS = 2000;

/** After the push, started takeovers become part of the manifests of their devices, which are many. */
const queueSettling = (db: Db): Promise<void> =>
  addJob(db, 'takeovers_settle', {}, { key: 'takeovers_settle', at: new Date(Date.now() + PUSH_MS) });

/** Every minute as well, after clocks were set. */
export const TAKEOVER_CRON = `* * * * * takeovers_end`;

/** Devices end takeovers by themselves; this withdraws them, so that lists are true, and settles what a crash left. */
export const takeoverTasks = (db: Db): Record<'takeovers_end' | 'takeovers_settle', Task> => ({
  takeovers_end: async (_payload, stopping) => {
    await db.transaction().execute((trx) => withdrawAll(trx, undefined, sql<boolean>`ends_at <= now()`));
    await settleTakeovers(db, stopping);
  },
  takeovers_settle: (_payload, stopping) => settleTakeovers(db, stopping),
});
