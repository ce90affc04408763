import './releases.tables.ts';
import { sql } from 'kysely';
import { utcToday } from '../platform/database/clock.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { Task } from '../platform/jobs/jobs.ts';
import { withdrawAll } from './withdraw.service.ts';

/**
 * A live release whose schedule is over everywhere on Earth: its last hours may end on the day after its last one, which
 * lasts half a day longer west of Greenwich. Those of campaigns end with their campaign.
 */
const isOver = sql<boolean>`(withdrawn_at is null and campaign_id is null
  and schedule ->> 'to' < to_char(${utcToday} - 2, 'YYYY-MM-DD'))`;

const TASK = 'releases_end';

export const OVER_CRON = `27 * * * * ${TASK}`;

/** Ends releases whose schedule is over: their files leave the devices, and can be deleted. */
export const overTasks = ({ db, log }: Pick<Deps, 'db' | 'log'>): Record<typeof TASK, Task> => ({
  [TASK]: async (_payload, stopping) => {
    const { rows } = await sql<{ id: string }>`select id from releases where ${isOver}`.execute(db);
    for (const { id } of rows) {
      if (stopping.aborted) return;
      await db
        .transaction()
        .execute((trx) => withdrawAll(trx, undefined, sql<boolean>`id = ${id}`))
        .catch((error: unknown) => log.warn({ err: error, release: id }, 'release not ended'));
    }
  },
});
