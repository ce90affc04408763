import { AppError, type Release, rolloutMove, type RolloutState } from '@ams/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { tellMachines, type Touched } from '../devices/devices.service.ts';
import { audit } from '../platform/audit.ts';
import type { Viewer } from '../platform/auth.ts';
import type { Db } from '../platform/database.ts';
import { publish } from '../platform/events.ts';
import { addJob, type Task } from '../platform/jobs.ts';
import { countStage } from './releases.queries.ts';
import { getRelease } from './releases.service.ts';

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
}

async function lockRollout(trx: Db, id: string): Promise<Running | undefined> {
  const { rows } = await sql<Running>`
    select id, owner_id, operator_id, stage, jsonb_array_length(stages) as stages, go_on_at, stop_above, rollout
    from releases where id = ${id} and stages is not null and withdrawn_at is null for no key update`.execute(trx);
  return rows[0];
}

async function setState(trx: Db, release: Running, state: RolloutState): Promise<void> {
  await trx.updateTable('releases').set({ rollout: state }).where('id', '=', release.id).execute();
  release.rollout = state;
}

/** Begins the step after the one under way: its machines get the release now. */
async function beginNext(trx: Db, release: Running): Promise<void> {
  release.stage += 1;
  release.rollout = 'running';
  await trx
    .updateTable('releases')
    .set({ stage: release.stage, rollout: 'running' })
    .where('id', '=', release.id)
    .execute();
  const { rows } = await sql<Touched>`
    with locked as materialized (
      select id from devices where id in (
        select device_id from release_devices
        where release_id = ${release.id} and stage = ${release.stage} and revision is null and withdrawn_at is null
      ) order by id for no key update
    ), touched as (
      update devices set revision = revision + 1, operator_id = coalesce(${release.operator_id}::uuid, operator_id)
      where id in (select id from locked) returning id, owner_id, revision
    ), begun as (
      update release_devices rd set revision = t.revision, started_at = now()
      from touched t where rd.release_id = ${release.id} and rd.device_id = t.id
    )
    select id, owner_id from touched`.execute(trx);
  await tellMachines(trx, rows);
}

/** Moves a locked release on for as long as its machines allow. */
async function settle(trx: Db, release: Running): Promise<boolean> {
  let moved = false;
  for (;;) {
    const { rollout: state, stage, stages, go_on_at: goOnAt, stop_above: stopAbove } = release;
    const move = rolloutMove({ state, stage, stages, goOnAt, stopAbove }, await countStage(trx, release.id, stage));
    if (move === 'wait') return moved;
    moved = true;
    if (move === 'begin') await beginNext(trx, release);
    else await setState(trx, release, move === 'stop' ? 'stopped' : 'complete');
  }
}

const tellWatchers = (trx: Db, { id, owner_id }: Running): Promise<void> =>
  publish(trx, { topic: 'changed', kind: 'release', ids: [id], owners: [owner_id] });

/** Looks at a release in steps and does what is due; done twice at once, it happens once. */
export const advanceRollout = (db: Db, id: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const release = await lockRollout(trx, id);
    if (release && (await settle(trx, release))) await tellWatchers(trx, release);
  });

/** No further step begins by itself. A release that is paused, stopped or through stays as it is. */
export async function pauseRollout(db: Db, viewer: Viewer, id: string): Promise<Release> {
  const { ad } = await getRelease(db, viewer, id);
  return db.transaction().execute(async (trx) => {
    const release = await lockRollout(trx, id);
    if (release?.rollout === 'running') {
      await setState(trx, release, 'paused');
      await audit(trx, viewer, { action: 'releases.pause', targetId: id, target: ad.name });
      await tellWatchers(trx, release);
    }
    return getRelease(trx, viewer, id);
  });
}

/**
 * After a pause: runs again. Else begins the next step now, whatever the shares; after the last one it is complete.
 * `stage` is the step that the person saw under way: another by now is refused, so that two people begin one step.
 */
export async function goOnRollout(db: Db, viewer: Viewer, id: string, stage: number): Promise<Release> {
  const { ad } = await getRelease(db, viewer, id);
  return db.transaction().execute(async (trx) => {
    const release = await lockRollout(trx, id);
    if (!release || release.rollout === 'complete') return getRelease(trx, viewer, id);
    if (release.stage !== stage) throw new AppError('CHANGED_MEANWHILE');
    if (release.rollout === 'paused') await setState(trx, release, 'running');
    else if (stage + 1 < release.stages) await beginNext(trx, release);
    else await setState(trx, release, 'complete');
    await settle(trx, release);
    await audit(trx, viewer, { action: 'releases.goOn', targetId: id, target: ad.name });
    await tellWatchers(trx, release);
    return getRelease(trx, viewer, id);
  });
}

const TASK = 'releases_advance';

/**
 * After what a machine said changed how far it is: the releases whose step it may end are looked at, once however
 * many machines say so while the look is due.
 */
export async function deliveryChanged(db: Db, deviceId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select r.id from release_devices rd join releases r on r.id = rd.release_id
    where rd.device_id = ${deviceId} and rd.withdrawn_at is null and r.rollout = 'running' and r.withdrawn_at is null
      and rd.stage = r.stage`.execute(db);
  for (const { id } of rows) await addJob(db, TASK, { id }, `${TASK} ${id}`);
}

const Payload = z.object({ id: z.uuid() });

/** Every minute, for what nobody reports: machines that were deleted, say, or a server that died meanwhile. */
export const ROLLOUT_CRON = `* * * * * releases_advance_all`;

export const rolloutTasks = (db: Db): Record<string, Task> => ({
  [TASK]: (payload) => advanceRollout(db, Payload.parse(payload).id),
  releases_advance_all: async () => {
    const running = await db
      .selectFrom('releases')
      .select('id')
      .where('rollout', '=', 'running')
      .where('withdrawn_at', 'is', null)
      .execute();
    for (const { id } of running) await advanceRollout(db, id);
  },
});
