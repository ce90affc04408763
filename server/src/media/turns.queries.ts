import './media.tables.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { LaneTask } from '../platform/jobs/jobs.ts';

type Lane = LaneTask['lane'];

/** The largest priority that the job queue takes. */
const TURN_MAX = 2 ** 31 - 1;

/**
 * Gives an owner the next turn in a lane: the later of its last turn and the lane's current one, plus the work in
 * seconds. Little work comes soon, and an owner's hundredth piece of work waits for everybody else's first
 * (self-clocked fair queueing: Golestani, INFOCOM 1994).
 */
export async function takeTurn(db: Db, lane: Lane, owner: string, seconds: number): Promise<number> {
  const work = Math.max(1, Math.ceil(seconds));
  const { rows } = await sql<{ turn: number }>`
    insert into processing_turns (lane, owner_id, turn)
    values (${lane}, ${owner}, coalesce((select now from processing_lanes where lane = ${lane}), 0) + ${work})
    on conflict (lane, owner_id) do update
    set turn = greatest(processing_turns.turn, excluded.turn - ${work}) + ${work}
    returning turn`.execute(db);
  return Math.min(TURN_MAX, rows[0]?.turn ?? work);
}

/** Stores that a turn has begun: owners that follow start from here. */
export const beginTurn = (db: Db, lane: Lane, turn: number): Promise<unknown> =>
  sql`insert into processing_lanes (lane, now) values (${lane}, ${turn})
    on conflict (lane) do update set now = excluded.now where processing_lanes.now < excluded.now ${prepared}`.execute(
    db,
  );

/** Forgets the turns of owners who have nothing before them any more. */
export const forgetTurns = (db: Db): Promise<unknown> =>
  sql`delete from processing_turns t using processing_lanes l where l.lane = t.lane and t.turn <= l.now`.execute(db);
