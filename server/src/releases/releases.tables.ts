import type { Priority, Programme, Schedule, ScreenName } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

/** The frozen part of a programme: all that does not belong to the release itself. */
export type FrozenAd = Pick<Programme, 'screen' | 'split' | 'playMode' | 'showClock' | 'fit' | 'regions'>;

declare module '../platform/database.ts' {
  interface Tables {
    releases: {
      id: string;
      ad_id: string;
      ad_name: string;
      owner_id: string;
      operator_id: string | null;
      screen: ScreenName | null;
      replace: boolean;
      priority: Priority;
      schedule: ColumnType<Schedule | null, string | null, never>;
      programme: ColumnType<FrozenAd, string, never>;
      released_at: Generated<Date>;
      withdrawn_at: Date | null;
    };
    /** The blobs a release needs, in the order in which they are needed first. */
    release_files: {
      release_id: string;
      file_id: string;
      sha256: string;
      bytes: number;
      mime: string;
      position: number;
    };
    release_devices: {
      release_id: string;
      device_id: string;
      revision: number;
      /** Taken back from this machine alone. */
      withdrawn_at: Date | null;
    };
  }
}
