import './devices.tables.ts';
import {
  BATCH_FAILURES_MAX,
  type BatchJob,
  type BatchOrder,
  type ErrorName,
  type FailedDevice,
  type Role,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Operator } from './change.service.ts';

/** A batch that has devices left, held by this transaction alone. */
export interface HeldBatch {
  id: string;
  task: BatchOrder;
  total: number;
  reached: number;
  failed: number;
  operator: Operator;
}

/** Writes a batch down with its devices as they are now. `devices`: a query of (place, device_id, mac, name). */
async function insertBatch(
  trx: Db,
  operatorId: string,
  task: BatchOrder,
  devices: RawBuilder<unknown>,
): Promise<string> {
  const id = uuidv7();
  await sql`
    insert into batches (id, operator_id, task, total)
    values (${id}, ${operatorId}, ${JSON.stringify(task)}::jsonb, 0)`.execute(trx);
  await sql`
    with chosen as (
      insert into batch_devices (batch_id, place, device_id, mac, name)
      select ${id}::uuid, m.place, m.device_id, m.mac, m.name from (${devices}) m returning 1
    )
    update batches set total = (select count(*) from chosen) where id = ${id}`.execute(trx);
  return id;
}

/** Ids out of scope are recorded too, without details. */
export const insertNamed = (trx: Db, viewer: Viewer, task: BatchOrder, ids: string[]): Promise<string> =>
  insertBatch(
    trx,
    viewer.id,
    task,
    sql`select n.place, n.id as device_id, d.mac, d.name
      from unnest(${ids}::uuid[]) with ordinality n(id, place)
      left join devices d on d.id = n.id and ${inScope(viewer, sql`d.owner_id`)}`,
  );

/** All devices in scope that a condition on `devices_now d` shows, newest first as the list has them. */
export const insertMatching = (
  trx: Db,
  viewer: Viewer,
  task: BatchOrder,
  condition: RawBuilder<boolean>,
): Promise<string> =>
  insertBatch(
    trx,
    viewer.id,
    task,
    sql`select row_number() over (order by d.created_at desc, d.id desc) as place, d.id as device_id, d.mac, d.name
      from devices_now d where ${condition}`,
  );

/** Takes hold of a batch for one step; nothing when it is finished or somebody else is at it. */
export async function holdBatch(trx: Db, id: string): Promise<HeldBatch | undefined> {
  const { rows } = await sql<Omit<HeldBatch, 'operator'> & { operator_id: string; role: Role }>`
    select b.id, b.task, b.total, b.reached, b.failed, b.operator_id, u.role
    from batches b join users u on u.id = b.operator_id
    where b.id = ${id} and b.finished_at is null for update of b skip locked`.execute(trx);
  const [row] = rows;
  return row && { ...row, operator: { id: row.operator_id, role: row.role } };
}

/** The devices whose turn is next. */
export async function nextDevices(trx: Db, { id, reached }: HeldBatch, count: number): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from batch_devices where batch_id = ${id} and place > ${reached} and place <= ${reached + count}
    order by place`.execute(trx);
  return rows.map((row) => row.device_id);
}

/** Notes a step: so many devices had their turn, and these stayed as they were. */
export async function noteStep(
  trx: Db,
  { id, reached, total }: HeldBatch,
  count: number,
  failed: { ids: string[]; error: ErrorName },
): Promise<void> {
  await sql`
    update batch_devices set error = ${failed.error} where batch_id = ${id} and place > ${reached}
      and place <= ${reached + count} and device_id = any(${failed.ids}::uuid[])`.execute(trx);
  await sql`
    update batches set reached = reached + ${count}, failed = failed + ${failed.ids.length}, moved_at = now(),
      finished_at = case when ${reached + count >= total}::boolean then now() end where id = ${id}`.execute(trx);
}

/** A batch with the devices that it left as they were; of somebody in scope. */
export async function findBatch(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<{ job: BatchJob; failed: FailedDevice[] } | undefined> {
  const { rows } = await sql<BatchJob>`
    select b.id, b.task ->> 'action' as action, case when b.finished_at is null then 'running' else 'done' end as state,
      b.reached - b.failed as done, b.failed, b.total
    from batches b where b.id = ${id} and ${inScope(viewer, sql`b.operator_id`)}`.execute(db);
  const [job] = rows;
  if (!job) return undefined;
  const failed = await sql<{ id: string; mac: string | null; name: string | null; error: string }>`
    select device_id as id, mac, name, error from batch_devices where batch_id = ${id} and error is not null
    order by place limit ${BATCH_FAILURES_MAX}`.execute(db);
  return {
    job,
    failed: failed.rows.map(({ mac, name, ...row }) => ({
      ...row,
      ...(mac !== null && { mac }),
      ...(name !== null && { name }),
      // Under this number the server's log has the rest.
      ...(row.error === 'INTERNAL' && { details: { requestId: id } }),
    })),
  };
}

/** Batches that nobody has moved for a while, though they are not finished. */
export async function findForgotten(db: Db, seconds: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from batches where finished_at is null
      -- Or in a future that the clock was taken back from.
      and (moved_at < now() - make_interval(secs => ${seconds}) or moved_at > now() + make_interval(secs => ${seconds}))`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Results are kept as long as anybody may come back for them. */
export const deleteOld = (db: Db, days: number): Promise<unknown> =>
  sql`delete from batches where started_at < now() - make_interval(days => ${days})`.execute(db);
