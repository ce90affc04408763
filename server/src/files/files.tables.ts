import type { FileState, KindNumber, Media, Orientation } from '@ams/contract';
import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    /** One row per content; `play_*` is what devices get, which differs once it was converted. */
    blobs: {
      sha256: string;
      bytes: number;
      mime: string | null;
      width: number | null;
      height: number | null;
      duration_ms: number | null;
      state: FileState;
      failure: string | null;
      /** Written by earlier versions. */
      progress: number | null;
      play_sha256: string | null;
      play_bytes: number | null;
      poster_sha256: string | null;
      created_at: Generated<Date>;
    };
    /** `step` is what is still to be done before the file is shown; null: its content decides. */
    files: {
      id: string;
      owner_id: string;
      uploaded_by: string | null;
      name: string;
      orientation: Orientation;
      kind: KindNumber;
      /** Follows from orientation and kind; generated. */
      media: GeneratedAlways<Media>;
      sha256: string;
      step: 'examine' | 'convert' | null;
      /** Percent of a running conversion. */
      progress: number | null;
      /** How often the step was begun and not ended. */
      attempts: Generated<number>;
      created_at: Generated<Date>;
    };
    processing_lanes: { lane: string; now: number };
    processing_turns: { lane: string; owner_id: string; turn: number };
  }
}
