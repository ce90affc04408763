import type { Measured } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';
import type { LaneTask } from '../platform/jobs/jobs.ts';

declare module '../platform/database/database.ts' {
  interface Tables {
    /** The turn that a lane of the work queue has come to. */
    processing_lanes: { lane: LaneTask['lane']; now: number };
    /** The last turn that each owner has in a lane. */
    processing_turns: { lane: LaneTask['lane']; owner_id: string; turn: number };
    /** What was measured of the copy of a video that devices play; null: it could not be measured. */
    content_checks: {
      sha256: string;
      measured: ColumnType<Measured | null, string | null, never>;
      checked_at: Generated<Date>;
    };
  }
}
