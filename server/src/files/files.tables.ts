import type { KindNumber, Media, Orientation } from '@ams/contract';
import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
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
      created_at: Generated<Date>;
    };
  }
}
