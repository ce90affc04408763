import './releases.tables.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { touchDevices } from '../devices/devices.service.ts';
import { isMissed } from '../devices/verdict.service.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { addJob, type Task } from '../platform/jobs/jobs.ts';
import { closeTakeovers } from './takeover.queries.ts';
import { AT_ONCE, connectedFirst, DEVICES_A_STEP } from './sending.service.ts';

const TASK = 'releases_withdraw';

const queue = (db: Db, id: string): Promise<void> => addJob(db, TASK, { id }, { key: `${TASK} ${id}` });

/**
 * Devices, by id, fetch their content, which is without these withdrawn releases; all that have them if no ids are given.
 * Those that have not reported a release until then have missed it.
 */
async function leave(
  trx: Db,
  releaseIds: readonly string[],
  operatorId: string | null,
  deviceIds?: readonly string[],
): Promise<void> {
  const isTheirs = sql<boolean>`rd.release_id = any(${releaseIds}::uuid[])
    and ${deviceIds ? sql`rd.device_id = any(${deviceIds}::uuid[])` : sql`true`}`;
  await touchDevices(
    trx,
    sql<boolean>`d.id in (select rd.device_id from release_devices rd where ${isTheirs} and rd.revision is not null)`,
    operatorId ?? undefined,
  );
  // Now that no report of the former content counts any more.
  const ended = trx
    .selectFrom('releases')
    .select('id')
    .where('id', 'in', releaseIds)
    .where('priority', '=', 'takeover');
  if (await ended.limit(1).executeTakeFirst()) await closeTakeovers(trx, isTheirs);
  await sql`
    update release_devices rd set missed = true from releases r
    where ${isTheirs} and r.id = rd.release_id and r.priority <> 'takeover' and rd.withdrawn_at is null
      and ${isMissed}`.execute(trx);
}

/** Notifies the devices of releases that were just withdrawn; a job does so if they are many. */
export async function leaveDevices(trx: Db, releaseIds: readonly string[], operatorId: string | null): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into release_withdrawals (release_ids, operator_id, device_ids, total)
    select ${releaseIds}::uuid[], ${operatorId}::uuid, ${connectedFirst}, count(*)
    from (select distinct device_id from release_devices where release_id = any(${releaseIds}::uuid[])) rd
      join devices d on d.id = rd.device_id
    having count(*) > ${AT_ONCE} returning id`.execute(trx);
  const [withdrawal] = rows;
  if (withdrawal) await queue(trx, withdrawal.id);
  else await leave(trx, releaseIds, operatorId);
}

interface Withdrawal {
  releaseIds: string[];
  operatorId: string | null;
  total: number;
  reached: number;
  /** The next devices. */
  next: string[];
}

/**
 * Notifies the next devices of a withdrawal. False when it is done. A process that dies has notified whole steps, and
 * another one continues.
 */
const leaveNext = (db: Db, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<Withdrawal>`
      select release_ids::text[] as "releaseIds", operator_id as "operatorId", total, reached,
        device_ids[reached + 1:reached + ${sql.lit(DEVICES_A_STEP)}]::text[] as next
      from release_withdrawals where id = ${id} for update`.execute(trx);
    const [withdrawal] = rows;
    if (!withdrawal) return false;
    const { releaseIds, operatorId, next, total } = withdrawal;
    await leave(trx, releaseIds, operatorId, next);
    const reached = withdrawal.reached + next.length;
    const isDone = reached >= total;
    if (isDone) await trx.deleteFrom('release_withdrawals').where('id', '=', id).execute();
    else await trx.updateTable('release_withdrawals').set({ reached }).where('id', '=', id).execute();
    const released = trx.selectFrom('releases').select(['id', 'owner_id']).where('id', 'in', releaseIds);
    await publish(trx, ...changed('release', await released.execute()));
    return !isDone;
  });

/** A withdrawn release returns to its devices: its withdrawal reaches no further ones. The caller holds it. */
export async function stopWithdrawal(trx: Db, releaseId: string): Promise<void> {
  await sql`
    update release_withdrawals set release_ids = array_remove(release_ids, ${releaseId}::uuid)
    where ${releaseId}::uuid = any(release_ids)`.execute(trx);
  await sql`delete from release_withdrawals where release_ids = '{}'`.execute(trx);
}

/** Every minute: withdrawals whose job failed too often or was lost. */
export const WITHDRAWING_CRON = `* * * * * releases_withdraw_all`;

const Payload = z.object({ id: z.uuid() });

export const withdrawingTasks = (db: Db): Record<typeof TASK | 'releases_withdraw_all', Task> => ({
  [TASK]: async (payload, stopping) => {
    const { id } = Payload.parse(payload);
    // A task that throws is tried again, by another process.
    while (await leaveNext(db, id)) stopping.throwIfAborted();
  },
  releases_withdraw_all: async () => {
    for (const { id } of await db.selectFrom('release_withdrawals').select('id').execute()) await queue(db, id);
  },
});
