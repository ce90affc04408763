import type { ItemKind, Screen } from '@ams/contract';
import type { Generated } from 'kysely';

interface PlaySum {
  device_id: string;
  plays: number;
  duration_ms: number;
}

declare module '../platform/database/database.ts' {
  interface Tables {
    play_items: {
      id: Generated<number>;
      release_id: string;
      kind: Generated<ItemKind>;
      /** Of the file; items of other kinds have none. */
      sha256: string | null;
      screen: Screen;
      file_id: string | null;
      file_name: string;
      length_ms: number | null;
    };
    play_inboxes: { device_id: string; batches: Generated<string[]> };
    plays: {
      device_id: string;
      at: Date;
      item_id: number;
      duration_ms: number;
      nth: number;
      received_on: Generated<string>;
    };
    play_days: PlaySum & { day: string };
    play_item_days: PlaySum & { day: string; item_id: number; hour_plays: number[]; hour_ms: number[] };
    play_item_months: {
      device_id: string;
      item_id: number;
      month: string;
      plays_to: number[];
      ms_to: number[];
    };
  }
}
