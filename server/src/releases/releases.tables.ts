import type { ApprovalState, GroupFilter, Orientation, PauseReason, Priority } from '@ams/contract';
import type { RolloutState, Schedule, Screen, Stages } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';
import type { FrozenAd, Order } from './order.ts';

/** A device filter of a standing release. */
interface FilterColumns {
  release_id: string;
  filter: ColumnType<GroupFilter, string, string>;
  owner_id: string | null;
  words: string | null;
  mac_words: string | null;
  paired: boolean | null;
  orientation: Orientation | null;
  fits: Orientation | null;
  area: string | null;
  tags_all: string[];
  tags_any: string[] | null;
  tags_none: string[];
}

declare module '../platform/database/database.ts' {
  interface Tables {
    releases: {
      id: string;
      ad_id: string;
      ad_name: string;
      owner_id: string;
      operator_id: string | null;
      /** `updated_at` of the ad that was frozen; null for releases that were withdrawn before versions were stored. */
      ad_version: Date | null;
      /** Its place among the releases of a device, when that is an earlier one's that it updated. */
      rank_at: Date | null;
      screen: Screen | null;
      replace: boolean;
      priority: Priority;
      schedule: ColumnType<Schedule | null, string | null, never>;
      /** The end of a takeover; null before it starts, and for other releases. */
      ends_at: Date | null;
      programme: ColumnType<FrozenAd, string, never>;
      released_at: Generated<Date>;
      withdrawn_at: Date | null;
      withdrawn_by: string | null;
      /** The person who did it for that user, and may undo it. */
      withdrawn_person: string | null;
      /** The user in whose scope it is standing; null: it went to the devices that it has, once. */
      standing_by: string | null;
      stages: ColumnType<Stages | null, string | null, never>;
      go_on_at: number | null;
      stop_above: number | null;
      stage: Generated<number>;
      rollout: RolloutState | null;
      /** Why it paused by itself. */
      pause_reason: PauseReason | null;
      /** The campaign of which it is a creative. */
      campaign_id: string | null;
    };
    /** Releases that wait for approval, or waited; an approved one has the id of its release. */
    release_requests: {
      id: string;
      ad_id: string;
      /** `updated_at` and hash of the content of the ad when it was requested. */
      ad_version: Date;
      content_hash: string;
      /** Null: the devices that have an earlier version get this one. */
      order: ColumnType<Order | null, string | null, never>;
      /** Devices that it reached when it was requested. */
      devices: number;
      requested_by: string | null;
      requested_at: Generated<Date>;
      state: Generated<ApprovalState>;
      decided_by: string | null;
      decided_at: Date | null;
      remark: string | null;
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
      stage: Generated<number>;
      revision: number | null;
      started_at: Date | null;
      /** Taken back from this device alone. */
      withdrawn_at: Date | null;
      /** It was taken back because the device no longer matches its standing release or campaign. */
      unmatched: Generated<boolean>;
      /** It was taken back, here or as a whole, before the device reported that it had it. */
      missed: Generated<boolean>;
    };
    /** Releases to many devices that are on their way. */
    release_sends: { release_id: string; device_ids: string[]; total: number; reached: Generated<number> };
    /** Withdrawals from many devices that are on their way. */
    release_withdrawals: {
      id: Generated<string>;
      release_ids: string[];
      operator_id: string | null;
      device_ids: string[];
      total: number;
      reached: Generated<number>;
    };
    /** The devices of a standing release, with the conditions of the filter in columns for one comparison of all. */
    standing_releases: FilterColumns & { group_id: string | null; scope_id: string };
    /** What devices of a standing release must satisfy beside the filter of its group. */
    standing_filters: FilterColumns;
  }
}
