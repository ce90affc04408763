import type { FileState } from '@ams/contract';
import type { Generated } from 'kysely';

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
  }
}
