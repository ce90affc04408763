import type { ScreenName } from '@ams/contract';
import type { Generated } from 'kysely';

declare module '../platform/database.ts' {
  interface Tables {
    play_batches: { device_id: string; batch: string; at: Generated<Date> };
    plays: { device_id: string; release_id: string; sha256: string; screen: ScreenName; at: Date; duration_ms: number };
    play_days: { day: string; device_id: string; plays: number; duration_ms: number };
  }
}
