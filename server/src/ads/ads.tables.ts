import type { AdQr, Fit, ItemKind, Orientation, PlayMode, Region, Split } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

declare module '../platform/database/database.ts' {
  interface Tables {
    ads: {
      id: string;
      owner_id: string;
      name: string;
      orientation: Orientation;
      split: Split;
      dual: boolean;
      play_mode: PlayMode;
      show_clock: boolean;
      fit: Fit;
      muted: Generated<boolean>;
      background: Generated<string>;
      qr: ColumnType<AdQr | null, string | null | undefined, string | null>;
      /** Its releases that are not withdrawn; counted by triggers. */
      live_releases: ColumnType<number, never, never>;
      created_at: Generated<Date>;
      updated_at: Generated<Date>;
    };
    /** `file_id` belongs to items of kind `file` alone. */
    ad_items: {
      ad_id: string;
      region: Region;
      position: number;
      kind: ItemKind;
      file_id: string | null;
      seconds: number | null;
    };
  }
}
