import './devices.tables.ts';
import {
  BATCH_CHANGES_MAX,
  BATCH_FAILURES_MAX,
  type BatchChange,
  type BatchJob,
  type BatchOrder,
  type ErrorName,
  type FailedDevice,
  LEVEL_KEYS,
  type Role,
  UNDO_SECONDS,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AuditActor } from '../platform/auth/audit.ts';
import type { Person, Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Operator } from './change.service.ts';
import type { BatchTask, Values } from './devices.tables.ts';

/** A batch that has devices left, held by this transaction alone. */
export interface HeldBatch {
  id: string;
  task: BatchTask;
  total: number;
  reached: number;
  failed: number;
  operator: Operator & AuditActor;
}

/** A batch that was stored. */
export type BegunBatch = Pick<BatchJob, 'id' | 'action' | 'total'>;

/**
 * Writes a batch down with its devices as they are now. `devices`: a query of (place, device_id, mac, name), and of the
 * columns `more`.
 */
async function insertBatch(
  trx: Db,
  { id: operatorId, person }: Pick<Viewer, 'id' | 'person'>,
  task: BatchTask,
  devices: RawBuilder<unknown>,
  more: RawBuilder<unknown> = sql``,
): Promise<BegunBatch> {
  const id = uuidv7();
  await sql`
    insert into batches (id, operator_id, person_id, task, total)
    values (${id}, ${operatorId}, ${person.id}, ${JSON.stringify(task)}::jsonb, 0)`.execute(trx);
  const { rows } = await sql<{ total: number }>`
    with chosen as (
      insert into batch_devices (batch_id, place, device_id, mac, name ${more})
      select ${id}::uuid, m.* from (${devices}) m returning 1
    )
    update batches set total = (select count(*) from chosen) where id = ${id} returning total`.execute(trx);
  return { id, action: task.action, total: rows[0]?.total ?? 0 };
}

/** Ids out of scope are recorded too, without details. */
export const insertNamed = (trx: Db, viewer: Viewer, task: BatchTask, ids: string[]): ReturnType<typeof insertBatch> =>
  insertBatch(
    trx,
    viewer,
    task,
    sql`select n.place, n.id as device_id, d.mac, d.name
      from unnest(${ids}::uuid[]) with ordinality n(id, place)
      left join devices d on d.id = n.id and ${inScope(viewer, sql`d.owner_id`)}`,
  );

/** The devices that a batch changed, with what it changed of them. */
export const insertChanged = (
  trx: Db,
  viewer: Viewer,
  task: BatchTask,
  batchId: string,
): ReturnType<typeof insertBatch> =>
  insertBatch(
    trx,
    viewer,
    task,
    sql`select row_number() over (order by c.place) as place, c.device_id, c.mac, c.name, c.before, c.after, c.withdrawn
      from batch_devices c where c.batch_id = ${batchId} and c.error is null
        and (c.before is not null or c.withdrawn is not null)`,
    sql`, before, after, withdrawn`,
  );

/** All devices in scope that a condition on `devices_now d` shows, newest first as the list has them. */
export const insertMatching = (
  trx: Db,
  viewer: Viewer,
  task: BatchTask,
  condition: RawBuilder<boolean>,
): ReturnType<typeof insertBatch> =>
  insertBatch(
    trx,
    viewer,
    task,
    sql`select row_number() over (order by d.created_at desc, d.id desc) as place, d.id as device_id, d.mac, d.name
      from devices_now d where ${condition}`,
  );

/** Takes hold of a batch for one step; nothing when it is finished or somebody else is at it. */
export async function holdBatch(trx: Db, id: string): Promise<HeldBatch | undefined> {
  const { rows } = await sql<
    Omit<HeldBatch, 'operator'> & { operator_id: string; person_id: string | null; role: Role }
  >`
    select b.id, b.task, b.total, b.reached, b.failed, b.operator_id, b.person_id, u.role
    from batches b join users u on u.id = b.operator_id
    where b.id = ${id} and b.finished_at is null for update of b skip locked`.execute(trx);
  const [row] = rows;
  if (!row) return undefined;
  const person = row.person_id === null ? undefined : { id: row.person_id };
  return { ...row, operator: { id: row.operator_id, role: row.role, person } };
}

/** A device whose turn it is; the values are there for an undoing. */
export interface Turn {
  id: string;
  place: number;
  before: Values | null;
  after: Values | null;
  withdrawn: string[] | null;
}

/**
 * Bytes of settings that one step may hold, as they are stored: working hours with each day of a year are a hundred times as
 * large as usual ones, and each step has several copies of them.
 */
const STEP_BYTES = 2_000_000;

/** The devices whose turn is next, fewer than `most` where their settings are large. */
export async function nextDevices(trx: Db, { id, task, reached }: HeldBatch, most: number): Promise<Turn[]> {
  const ordered = JSON.stringify(task).length;
  const { rows } = await sql<Turn>`
    select id, place, before, after, withdrawn from (
      select t.device_id as id, t.place, t.before, t.after, t.withdrawn,
        sum(${ordered}::int + coalesce(pg_column_size(t.before), 0) + coalesce(pg_column_size(t.after), 0) +
          coalesce((select pg_column_size(d.working_hours) from devices d where d.id = t.device_id), 0))
          over (order by t.place) as bytes
      from batch_devices t
      where t.batch_id = ${id} and t.place > ${reached} and t.place <= ${reached + most}) next
    where bytes <= ${STEP_BYTES}::int or place = ${reached + 1} order by place`.execute(trx);
  return rows;
}

/** The result for one device: an error, or the changed values. */
export interface Turned {
  id: string;
  error?: ErrorName;
  before?: Values;
  after?: Values;
  withdrawn?: string[];
}

/** Notes a step: so many devices had their turn, of which `turned` have anything to note. */
export async function noteStep(
  trx: Db,
  { id, reached, total }: Pick<HeldBatch, 'id' | 'reached' | 'total'>,
  count: number,
  turned: readonly Turned[],
): Promise<void> {
  await sql`
    update batch_devices b set error = t.error, before = coalesce(t.before, b.before),
      after = coalesce(t.after, b.after), withdrawn = coalesce(t.withdrawn, b.withdrawn)
    from jsonb_to_recordset(${JSON.stringify(turned)}::jsonb)
      as t(id uuid, error text, before jsonb, after jsonb, withdrawn uuid[])
    where b.batch_id = ${id} and b.place > ${reached} and b.place <= ${reached + count} and b.device_id = t.id`.execute(
    trx,
  );
  const failed = turned.filter(({ error }) => error !== undefined).length;
  await sql`
    update batches set reached = reached + ${count}, failed = failed + ${failed},
      -- Now and not when the transaction began: what was withdrawn while it waited was cleared afterwards.
      moved_at = clock_timestamp(),
      finished_at = case when ${reached + count >= total}::boolean then now() end where id = ${id}`.execute(trx);
}

/** Batches that finished after this moment can be undone. */
const UNDO_SINCE = sql`now() - make_interval(secs => ${sql.lit(UNDO_SECONDS)})`;

const UNDOABLE = sql<boolean>`
  (b.undone_at is null and b.finished_at > ${UNDO_SINCE}
    and b.task ->> 'action' <> 'undo' and exists (
      select from batch_devices c where c.batch_id = b.id and c.error is null
        and (c.before is not null or c.withdrawn is not null)))`;

/** A query of the releases (`device_id`, `release_id`) that devices get back if a batch is undone, or is being undone. */
export const undoableReleases: RawBuilder<unknown> = sql`
  select t.device_id, w.release_id from batches b join batch_devices t on t.batch_id = b.id, unnest(t.withdrawn) w(release_id)
  where b.finished_at is null or b.finished_at > ${UNDO_SINCE}`;

/** The person who ordered a batch; that of an older server process is the holder of the account. */
const isBy = (person: Pick<Person, 'id'>) => sql<boolean>`coalesce(b.person_id, b.operator_id) = ${person.id}`;

/** The condition that another person than this one cleared a device (both are ids) after a time, and did not undo that. */
export const clearedByOthers = (
  deviceId: RawBuilder<unknown>,
  personId: unknown,
  since: unknown,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from batches b join batch_devices c on c.batch_id = b.id
  where b.task ->> 'action' = 'clear' and b.undone_at is null and b.moved_at > ${since}
    and coalesce(b.person_id, b.operator_id) <> ${personId}
    and c.device_id = ${deviceId} and c.place <= b.reached and c.error is null)`;

/** Those of these devices that others than its person cleared since a batch began. */
export async function clearedSince(trx: Db, batchId: string, ids: readonly string[]): Promise<Set<string>> {
  const isCleared = clearedByOthers(sql`t.id`, sql`coalesce(o.person_id, o.operator_id)`, sql`o.started_at`);
  const { rows } = await sql<{ id: string }>`
    select t.id from batches o, unnest(${ids}::uuid[]) t(id) where o.id = ${batchId} and ${isCleared}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Notes that a device was cleared by itself, for undoings of what others took from it. */
export async function noteCleared(trx: Db, viewer: Viewer, deviceId: string): Promise<void> {
  const batch = await insertNamed(trx, viewer, { action: 'clear' }, [deviceId]);
  await noteStep(trx, { ...batch, reached: 0 }, 1, []);
}

/** Marks a batch of this person as undone and answers its order; undefined when that is no longer possible. */
export async function markUndone(trx: Db, person: Person, id: string): Promise<BatchOrder | undefined> {
  const { rows } = await sql<{ task: BatchOrder }>`
    update batches b set undone_at = now() where b.id = ${id} and ${isBy(person)} and ${UNDOABLE}
    returning b.task`.execute(trx);
  return rows[0]?.task;
}

/** The value that a batch changed, as people read it. */
const shownIn = (values: RawBuilder<unknown>) => sql<string | null>`
  coalesce(${values} ->> 'expiresOn', ${values} ->> 'timeZone', ${values} ->> 'name', ${values} ->> 'workingHours',
    (select u.username from users u where u.id = (${values} ->> 'ownerId')::uuid),
    case when ${values} ? 'tags' then array_to_string(array(select jsonb_array_elements_text(${values} -> 'tags')), ', ') end,
    case when ${values} ?| ${[...LEVEL_KEYS]}::text[] then ${values}::text end)`;

/** How many devices a batch changed in the same way, the most frequent change first. */
export async function changesOf(trx: Db, id: string, isUndoing: boolean): Promise<BatchChange[]> {
  // The undoing of a batch stores the values of that batch, and changes them back.
  const [from, to] = isUndoing ? [sql`after`, sql`before`] : [sql`before`, sql`after`];
  const { rows } = await sql<BatchChange>`
    select ${shownIn(from)} as from, ${shownIn(to)} as to, count(*) as devices from batch_devices
    where batch_id = ${id} and error is null and before <> '{}'
    group by 1, 2 order by 3 desc limit ${sql.lit(BATCH_CHANGES_MAX)}`.execute(trx);
  return rows;
}

/** A batch with the devices that it left as they were; of somebody in scope. */
export async function findBatch(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<{ job: BatchJob; failed: FailedDevice[]; canUndo: boolean } | undefined> {
  const { rows } = await sql<BatchJob & { canUndo: boolean }>`
    select b.id, b.task ->> 'action' as action, case when b.finished_at is null then 'running' else 'done' end as state,
      b.reached - b.failed as done, b.failed, b.total,
      ${UNDOABLE} and ${isBy(viewer.person)} as "canUndo"
    from batches b where b.id = ${id} and ${inScope(viewer, sql`b.operator_id`)}`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { canUndo, ...job } = found;
  const failed = await sql<{ id: string; mac: string | null; name: string | null; error: string }>`
    select device_id as id, mac, name, error from batch_devices where batch_id = ${id} and error is not null
    order by place limit ${BATCH_FAILURES_MAX}`.execute(db);
  return {
    job,
    canUndo,
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
