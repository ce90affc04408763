import { AppError, type PauseReason, type Release, rolloutMove, type RolloutState } from '@ams/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { raiseRevision, tellDevices } from '../devices/devices.service.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, requireActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { addJob, type Task } from '../platform/jobs/jobs.ts';
import { Failures } from '../platform/jobs/steps.ts';
import { inScope } from '../platform/auth/scope.ts';
import { countStage } from './releases.queries.ts';
import { getRelease } from './releases.service.ts';
import { lockDevices } from './devices.lock.ts';

/** A release in steps, its row locked: whoever else moves it waits and then sees what was done. */
interface Running {
  id: string;
  owner_id: string;
  operator_id: string | null;
  stage: number;
  stages: number;
  go_on_at: number;
  stop_above: number;
  rollout: RolloutState;
  pause_reason: PauseReason | null;
}

async function lockRollout(trx: Db, id: string): Promise<Running | undefined> {
  const { rows } = await sql<Running>`
    select id, owner_id, operator_id, stage, jsonb_array_length(stages) as stages, go_on_at, stop_above, rollout,
      pause_reason
    from releases where id = ${id} and stages is not null and withdrawn_at is null for no key update`.execute(trx);
  return rows[0];
}

async function setState(trx: Db, release: Running, state: RolloutState, reason?: PauseReason): Promise<void> {
  const columns = { rollout: state, pause_reason: reason ?? null };
  await trx.updateTable('releases').set(columns).where('id', '=', release.id).execute();
  release.rollout = state;
}

/** Devices of later steps that its operator does not have in scope (any more) are planned no further. */
const dropForeign = (trx: Db, { id }: Running, operator: Actor): Promise<unknown> =>
  sql`
    update release_devices rd set withdrawn_at = now(), missed = true from devices d
    where rd.release_id = ${id} and rd.revision is null and rd.withdrawn_at is null and d.id = rd.device_id
      and not ${inScope(operator, sql`d.owner_id`)}`.execute(trx);

/** Begins the step after the one under way: its devices get the release now. */
async function beginNext(trx: Db, release: Running, operator: Actor): Promise<void> {
  await lockDevices(
    trx,
    sql`select device_id from release_devices
      where release_id = ${release.id} and revision is null and withdrawn_at is null`,
  );
  await dropForeign(trx, release, operator);
  release.stage += 1;
  await trx.updateTable('releases').set({ stage: release.stage }).where('id', '=', release.id).execute();
  await setState(trx, release, 'running');
  const planned = sql<boolean>`d.id in (
    select device_id from release_devices
    where release_id = ${release.id} and stage = ${release.stage} and revision is null and withdrawn_at is null)`;
  const begun = await raiseRevision(trx, planned, operator.id);
  await sql`
    update release_devices rd set revision = t.revision, started_at = now()
    from unnest(${begun.map(({ id }) => id)}::uuid[], ${begun.map(({ revision }) => revision)}::bigint[]) t(id, revision)
    where rd.release_id = ${release.id} and rd.device_id = t.id`.execute(trx);
  await tellDevices(trx, begun);
}

/** Moves a locked release on for as long as its devices allow. */
async function settle(trx: Db, release: Running, operator: Actor): Promise<boolean> {
  let moved = false;
  for (;;) {
    const { rollout: state, stage, stages, go_on_at: goOnAt, stop_above: stopAbove } = release;
    const move = rolloutMove({ state, stage, stages, goOnAt, stopAbove }, await countStage(trx, release.id, stage));
    if (move === 'wait') return moved;
    moved = true;
    if (move === 'begin') await beginNext(trx, release, operator);
    else if (move === 'pause') await setState(trx, release, 'paused', 'stepWithdrawn');
    else await setState(trx, release, move === 'stop' ? 'stopped' : 'complete');
  }
}

const tellWatchers = (trx: Db, { id, owner_id }: Running): Promise<void> =>
  publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [owner_id] });

/** The person in whose name steps begin, or why nobody is. */
async function operatorOf(trx: Db, id: string | null): Promise<Actor | PauseReason> {
  if (id === null) return 'operatorDeleted';
  try {
    return await requireActor(trx, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.error === 'FORBIDDEN_USER' ? 'operatorDisabled' : 'operatorDeleted';
  }
}

/** Looks at a release in steps and does what is due; done twice at once, it happens once. */
export const advanceRollout = (db: Db, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('releases').select('operator_id').where('id', '=', id).executeTakeFirst();
    // People before releases: whoever disables somebody pauses that person's releases.
    const held = await operatorOf(trx, before?.operator_id ?? null);
    const release = await lockRollout(trx, id);
    if (release?.rollout !== 'running') return;
    const operator = release.operator_id === before?.operator_id ? held : await operatorOf(trx, release.operator_id);
    if (typeof operator === 'string') await setState(trx, release, 'paused', operator);
    else if (!(await settle(trx, release, operator))) return;
    await tellWatchers(trx, release);
  });

/** Pauses the rollouts of a user that lost the right to begin the next steps. `viewer` removed the right. */
export async function pauseRolloutsOf(trx: Db, viewer: Viewer, operatorId: string, reason: PauseReason): Promise<void> {
  const { rows } = await sql<{ id: string; owner_id: string; ad_name: string }>`
    with running as materialized (
      select id from releases where operator_id = ${operatorId} and rollout = 'running' and withdrawn_at is null
      order by id for no key update
    )
    update releases set rollout = 'paused', pause_reason = ${reason} where id in (select id from running)
    returning id, owner_id, ad_name`.execute(trx);
  for (const { id, ad_name: target } of rows) {
    await audit(trx, viewer, { action: 'releases.pause', targetId: id, target, details: { reason } });
  }
  await publish(trx, ...changed('release', rows));
}

/** No further step begins by itself. A release that is paused, stopped or through stays as it is. */
export const pauseRollout = (db: Db, viewer: Viewer, id: string): Promise<Release> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const { ad } = await getRelease(trx, actor, id);
    const release = await lockRollout(trx, id);
    if (release?.rollout === 'running') {
      await setState(trx, release, 'paused');
      await audit(trx, viewer, { action: 'releases.pause', targetId: id, target: ad.name });
      await tellWatchers(trx, release);
    }
    return getRelease(trx, actor, id);
  });

/**
 * Makes the actor that resumes a rollout responsible for its next steps. All planned devices must be in the actor's
 * scope; throws `NOT_FOUND` otherwise.
 */
async function takeOver(trx: Db, release: Running, actor: Actor): Promise<void> {
  if (release.operator_id === actor.id) return;
  const { rows } = await sql`
    select from release_devices rd join devices d on d.id = rd.device_id
    where rd.release_id = ${release.id} and rd.revision is null and rd.withdrawn_at is null
      and not ${inScope(actor, sql`d.owner_id`)} limit 1`.execute(trx);
  if (rows.length > 0) throw new AppError('NOT_FOUND');
  release.operator_id = actor.id;
  await trx.updateTable('releases').set({ operator_id: actor.id }).where('id', '=', release.id).execute();
}

/** It paused because its step has no devices left, and still has none: resuming begins the next step. */
const isBlind = async (trx: Db, { id, stage, pause_reason: reason }: Running): Promise<boolean> =>
  reason === 'stepWithdrawn' && (await countStage(trx, id, stage)).total === 0;

/**
 * After a pause: runs again. Else begins the next step now, whatever the shares; after the last one it is complete.
 * `stage` is the step that the person saw under way: another by now is refused, so that two people begin one step.
 */
export const resumeRollout = (db: Db, viewer: Viewer, id: string, stage: number): Promise<Release> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const { ad } = await getRelease(trx, actor, id);
    const release = await lockRollout(trx, id);
    if (!release || release.rollout === 'complete') return getRelease(trx, actor, id);
    if (release.stage !== stage) throw new AppError('CHANGED_MEANWHILE');
    await takeOver(trx, release, actor);
    if (release.rollout === 'paused' && !(await isBlind(trx, release))) await setState(trx, release, 'running');
    else if (stage + 1 < release.stages) await beginNext(trx, release, actor);
    else await setState(trx, release, 'complete');
    await settle(trx, release, actor);
    await audit(trx, viewer, { action: 'releases.goOn', targetId: id, target: ad.name });
    await tellWatchers(trx, release);
    return getRelease(trx, actor, id);
  });

const TASK = 'releases_advance';

/**
 * After a report changed how far a device is: the rollouts whose step it may end are checked, once however
 * many devices report while the check is due.
 */
export async function deliveryChanged(db: Db, deviceId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select r.id from release_devices rd join releases r on r.id = rd.release_id
    where rd.device_id = ${deviceId} and rd.withdrawn_at is null and r.rollout = 'running' and r.withdrawn_at is null
      and rd.stage = r.stage`.execute(db);
  for (const { id } of rows) await addJob(db, TASK, { id }, { key: `${TASK} ${id}` });
}

const Payload = z.object({ id: z.uuid() });

/** Every minute, for changes without a report, such as deleted devices or a server that crashed. */
export const ROLLOUT_CRON = `* * * * * releases_advance_all`;

export const rolloutTasks = (db: Db): Record<typeof TASK | 'releases_advance_all', Task> => ({
  [TASK]: (payload) => advanceRollout(db, Payload.parse(payload).id),
  releases_advance_all: async () => {
    const running = await db
      .selectFrom('releases')
      .select('id')
      .where('rollout', '=', 'running')
      .where('withdrawn_at', 'is', null)
      .execute();
    const failures = new Failures();
    for (const { id } of running) await advanceRollout(db, id).catch(failures.note);
    failures.end();
  },
});

/**
 * Corrects the start of releases on this device whose recorded start is in the future because the clock was set back:
 * `since` is the new start; no start can be later than `latest`.
 */
export const correctStarts = (trx: Db, deviceId: string, since: Date, latest: Date): Promise<unknown> =>
  trx
    .updateTable('release_devices')
    .set({ started_at: since })
    .where('device_id', '=', deviceId)
    .where('started_at', '>', latest)
    .execute();
