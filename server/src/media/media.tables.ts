import type { LaneTask } from '../platform/jobs/jobs.ts';

declare module '../platform/database/database.ts' {
  interface Tables {
    /** The turn that a lane of the work queue has come to. */
    processing_lanes: { lane: LaneTask['lane']; now: number };
    /** The last turn that each owner has in a lane. */
    processing_turns: { lane: LaneTask['lane']; owner_id: string; turn: number };
  }
}
