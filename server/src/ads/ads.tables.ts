import type { Fit, PlayMode, Region, Split } from '@ams/contract';
import type { Generated } from 'kysely';

declare module '../platform/database.ts' {
  interface Tables {
    ads: {
      id: string;
      owner_id: string;
      name: string;
      screen: 1 | 2;
      split: Split;
      dual: boolean;
      play_mode: PlayMode;
      show_clock: boolean;
      fit: Fit;
      created_at: Generated<Date>;
      updated_at: Generated<Date>;
    };
    ad_items: { ad_id: string; region: Region; position: number; file_id: string; seconds: number | null };
  }
}
