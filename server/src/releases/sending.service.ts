import './releases.tables.ts';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { raiseRevision, tellDevices, type Touched } from '../devices/devices.service.ts';
import { covers, findActor } from '../platform/auth/authority.ts';
import { inScopeEach } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { addJob, type Task } from '../platform/jobs/jobs.ts';
import { lockAdsOf } from './ads.lock.ts';
import { lockDevices } from './devices.lock.ts';
import { shareStanding } from './standing.lock.ts';
import { matchAgain } from './standing.service.ts';

/** A release to more devices than this is answered first; a job brings it to them, and takes it back from them. */
export const AT_ONCE = 12_000;
/** Devices per transaction: enough to be fast, few enough to block nobody for long. */
export const DEVICES_A_STEP = 5000;

const TASK = 'releases_send';

const queue = (db: Db, id: string): Promise<void> => addJob(db, TASK, { id }, { key: `${TASK} ${id}` });

/** The ids of devices `d`, connected ones first, and neighbours in the indexes together. */
export const connectedFirst = sql<string[]>`
  (coalesce(array_agg(d.id order by d.id) filter (where d.lease is not null), '{}')
    || coalesce(array_agg(d.id order by d.id) filter (where d.lease is null), '{}'))`;

/**
 * Leaves it to a job to bring a release to the devices `d` (`devices_now`) of a condition. Returns their number; undefined when they are so few that they get it at once.
 */
export async function queueSend(trx: Db, id: string, chosen: RawBuilder<unknown>): Promise<number | undefined> {
  const { rows } = await sql<{ total: number }>`
    insert into release_sends (release_id, device_ids, total)
    select ${id}::uuid, ${connectedFirst}, count(*)
    from devices_now d where ${chosen} having count(*) > ${AT_ONCE} returning total`.execute(trx);
  const [send] = rows;
  if (send) await queue(trx, id);
  return send?.total;
}

/** Puts a release on those of the devices for which `isOpen` is true of `d`; once, whoever else does so. */
async function bring(
  trx: Db,
  { id, operatorId }: { id: string; operatorId: string | null },
  deviceIds: readonly string[],
  isOpen: RawBuilder<boolean>,
): Promise<void> {
  const touched = await raiseRevision(
    trx,
    sql<boolean>`d.id = any(${deviceIds}::uuid[]) and ${isOpen}`,
    operatorId ?? undefined,
  );
  await sql`
    insert into release_devices (release_id, device_id, stage, revision, started_at)
    select ${id}::uuid, t.id, 0, t.revision, now()
    from unnest(${touched.map((device) => device.id)}::uuid[], ${touched.map(({ revision }) => revision)}::bigint[])
      t(id, revision)
    on conflict do nothing`.execute(trx);
  await tellDevices(trx, touched);
}

/** The same for a standing release: devices that match it by now. */
async function bringStanding(trx: Db, { id, operatorId, next }: Send): Promise<void> {
  await lockDevices(trx, sql`select unnest(${next}::uuid[])`);
  const compared = { devices: sql<boolean>`d.id = any(${next}::uuid[])`, releases: sql<boolean>`r.id = ${id}` };
  await matchAgain(trx, compared, operatorId ?? undefined);
}

/** Whose release it is, and whether it is standing. */
interface Sender {
  operatorId: string | null;
  isStanding: boolean;
}

const findSender = async (trx: Db, id: string): Promise<Sender | undefined> => {
  const { rows } = await sql<Sender>`
    select operator_id as "operatorId", standing_by is not null as "isStanding" from releases where id = ${id}`.execute(
    trx,
  );
  return rows[0];
};

interface Send extends Sender {
  id: string;
  owner_id: string;
  total: number;
  reached: number;
  /** The next devices. */
  next: string[];
}

/** The release is locked before its devices: whoever withdraws it waits for one step. */
async function lockSend(trx: Db, id: string): Promise<Send | undefined> {
  const { rows } = await sql<Send>`
    select r.id, r.owner_id, r.operator_id as "operatorId", r.standing_by is not null as "isStanding", s.total, s.reached,
      s.device_ids[s.reached + 1:s.reached + ${sql.lit(DEVICES_A_STEP)}]::text[] as next
    from releases r join release_sends s on s.release_id = r.id
    where r.id = ${id} and r.withdrawn_at is null for no key update of r, s`.execute(trx);
  return rows[0];
}

/** Takeovers `r` go no further: the devices that only their push has reached request their content, which is without them. */
async function recall(trx: Db, chosen: RawBuilder<boolean>): Promise<void> {
  const { rows } = await sql<Touched>`
    select d.id, d.owner_id from releases r join release_sends s on s.release_id = r.id
      cross join unnest(s.device_ids[s.reached + 1:]) p(id) join devices d on d.id = p.id
    where r.priority = 'takeover' and ${chosen}`.execute(trx);
  await tellDevices(trx, rows);
}

/** Nothing is left to do. A release that reached no device ends, unless it is standing. */
async function endSend(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('release_sends').where('release_id', '=', id).execute();
  await sql`
    update releases r set withdrawn_at = now() where r.id = ${id} and r.standing_by is null and not exists (
      select from release_devices rd where rd.release_id = r.id and rd.withdrawn_at is null)`.execute(trx);
}

/**
 * Brings a release to its next devices, for an operator who may do so now; what is out of scope by now is left out. False
 * when it is done. A process that dies has brought it to whole steps, and another one continues.
 */
const sendNext = (db: Db, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const before = await findSender(trx, id);
    // People, the ad, which counts its releases, standing releases, and then the release, which may end.
    const operator = before?.operatorId ? await findActor(trx, before.operatorId) : undefined;
    await lockAdsOf(trx, sql`select ad_id from releases where id = ${id}`);
    if (before?.isStanding) await shareStanding(trx);
    const send = await lockSend(trx, id);
    if (!send) return false;
    if (send.operatorId !== before?.operatorId || send.isStanding !== before.isStanding) return true;
    if (operator && send.isStanding) await bringStanding(trx, send);
    else if (operator) await bring(trx, send, send.next, inScopeEach(operator, sql`d.owner_id`));
    const reached = send.reached + send.next.length;
    const goesOn = operator !== undefined && reached < send.total;
    if (goesOn) await trx.updateTable('release_sends').set({ reached }).where('release_id', '=', id).execute();
    else {
      if (!operator) await recall(trx, sql<boolean>`r.id = ${id}`);
      await endSend(trx, id);
    }
    await publish(trx, ...changed('release', [send]));
    return goesOn;
  });

/** Whether the operator of a release `r` may reach a device `d` now. */
const isCovered = sql<boolean>`(${covers(sql`r.operator_id`, sql`d.owner_id`)}
  and not exists (select from users u where u.id = r.operator_id and u.disabled))`;

/** The condition on a device `d` that the operator of a release may reach it now. */
const isOpenTo = (id: string) => sql<boolean>`(select true from releases r where r.id = ${id}::uuid and ${isCovered})`;

/** The releases that are on their way to some of these devices (a query of ids). */
export const sendsTo = (devices: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select s.release_id from release_sends s
  where exists (select from unnest(s.device_ids[s.reached + 1:]) p(id) where p.id in (${devices}))`;

/** A release goes no further to these devices. */
const leaveOut = (trx: Db, id: string, deviceIds: readonly string[]): Promise<unknown> =>
  sql`
    update release_sends s set total = s.total - ${deviceIds.length}::int, device_ids = array(
      select p.id from unnest(s.device_ids) with ordinality p(id, place)
      where p.place <= s.reached or p.id <> all(${deviceIds}::uuid[]) order by p.place)
    where s.release_id = ${id}`.execute(trx);

/** Before these devices change otherwise, they get what is on its way to them. The caller holds `sendsTo`. */
export async function bringEarly(trx: Db, devices: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; operatorId: string | null; next: string[] }>`
    select r.id, r.operator_id as "operatorId",
      array(select p.id::text from unnest(s.device_ids[s.reached + 1:]) p(id) where p.id in (${devices})) as next
    from release_sends s join releases r on r.id = s.release_id
    where r.withdrawn_at is null and s.release_id in (${sendsTo(devices)})
    order by r.id for no key update of s`.execute(trx);
  for (const send of rows.filter(({ next }) => next.length > 0)) {
    await bring(trx, send, send.next, isOpenTo(send.id));
    await leaveOut(trx, send.id, send.next);
  }
}

/** Brings releases, which the caller holds, to all their devices now. */
export async function bringAll(trx: Db, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; operatorId: string | null; next: string[] }>`
    delete from release_sends s using releases r where r.id = s.release_id and s.release_id = any(${ids}::uuid[])
    returning r.id, r.operator_id as "operatorId", s.device_ids[s.reached + 1:]::text[] as next`.execute(trx);
  for (const send of rows) await bring(trx, send, send.next, isOpenTo(send.id));
}

/** A withdrawal was undone: the release continues to the devices `p` that it had not reached, but those of a condition. */
export async function resumeSend(trx: Db, id: string, isLeftOut: RawBuilder<boolean>): Promise<void> {
  const send = trx.selectFrom('release_sends').select('release_id').where('release_id', '=', id);
  if (!(await send.executeTakeFirst())) return;
  const { rows } = await sql<{ id: string }>`
    select p.id from release_sends s, unnest(s.device_ids[s.reached + 1:]) p(id)
    where s.release_id = ${id} and ${isLeftOut}`.execute(trx);
  const ids = rows.map((device) => device.id);
  if (ids.length > 0) await leaveOut(trx, id, ids);
  await queue(trx, id);
}

/** The releases of a user that is deleted go no further. Answers the releases that have reached no device, and never will. */
export async function endSendsOf(trx: Db, operatorId: string): Promise<string[]> {
  await recall(trx, sql<boolean>`r.operator_id = ${operatorId}`);
  const { rows } = await sql<{ id: string; isEmpty: boolean }>`
    delete from release_sends s using releases r where r.id = s.release_id and r.operator_id = ${operatorId}
    returning r.id, r.standing_by is null and not exists (
      select from release_devices rd where rd.release_id = r.id and rd.withdrawn_at is null) as "isEmpty"`.execute(trx);
  return rows.filter(({ isEmpty }) => isEmpty).map(({ id }) => id);
}

/** Every minute: releases whose job failed too often or was lost. */
export const SENDING_CRON = `* * * * * releases_send_all`;

const Payload = z.object({ id: z.uuid() });

export const sendingTasks = (db: Db): Record<typeof TASK | 'releases_send_all', Task> => ({
  [TASK]: async (payload, stopping) => {
    const { id } = Payload.parse(payload);
    // A task that throws is tried again, by another process.
    while (await sendNext(db, id)) stopping.throwIfAborted();
  },
  releases_send_all: async () => {
    // After the time in which the withdrawal can be undone.
    await sql`
      delete from release_sends s using releases r
      where r.id = s.release_id and r.withdrawn_at < now() - interval '1 hour'`.execute(db);
    const { rows } = await sql<{ id: string }>`
      select r.id from release_sends s join releases r on r.id = s.release_id where r.withdrawn_at is null`.execute(db);
    for (const { id } of rows) await queue(db, id);
  },
});
