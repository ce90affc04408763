import type {
  BatchOrder,
  LevelHours,
  OrderAction,
  Orientation,
  Screen,
  ScreenSound,
  SigningKey,
  WorkingHours,
} from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

/** The operation of a batch: an order, or the undoing of another batch, whose action may need a leading user. */
export type BatchTask = BatchOrder | { action: 'undo'; of: OrderAction; batch?: string };

/** The settings of a device that operators change, besides its owner. */
export interface Settings {
  name: string;
  area: string | null;
  address: string | null;
  expiresOn: string | null;
  timeZone: string;
  /** An operator set the time zone; otherwise it is the one that the player reports. */
  timeZoneSet: boolean;
  sound: ScreenSound;
  tags: string[];
  /** Null: the default of its owner. */
  workingHours: WorkingHours | null;
  /** Percent; null leaves it as it is. */
  volume: number | null;
  volumeHours: LevelHours;
  brightness: number | null;
  brightnessHours: LevelHours;
}

/** Values that a batch changed of a device. */
export type Values = Partial<Settings> & { ownerId?: string };

type Json<T> = ColumnType<T, string, string>;

/** The last reported state of a device's download. */
export interface ReportedDownload {
  state: 'waiting' | 'downloading' | 'done' | 'failed';
  doneBytes: number;
  totalBytes: number;
  reason?: string | null | undefined;
}

/** The last reported content of one screen. */
export interface ReportedPlaying {
  releaseId?: string | null | undefined;
  sha256?: string | null | undefined;
}

/** Paired for the first time by an operator or by the enrolment key, or in place of another device with its MAC. */
export type PairingKind = 'new' | 'key' | 'replaced';

/** Commands for a device; an offline device executes them when it reconnects. */
export type DeviceCommand = 'restart' | 'clear';

declare module '../platform/database/database.ts' {
  interface Tables {
    server_processes: { id: string; beat_at: Generated<Date>; started_at: Generated<Date> };
    devices: {
      id: string;
      mac: string;
      name: string;
      owner_id: string;
      secret_hash: Buffer | null;
      paired_at: Date | null;
      time_zone: Generated<string>;
      /** An operator set it; otherwise it is the one that the player reports. */
      time_zone_set: Generated<boolean>;
      /** Null until its player has reported one. */
      reported_zone: Generated<string | null>;
      area: string | null;
      address: string | null;
      tags: Generated<string[]>;
      orientation: ColumnType<Orientation | null, never, never>;
      expires_on: string | null;
      expires_at: Date | null;
      expired_told: Generated<boolean>;
      screens: ColumnType<{ width?: number; height?: number }[], string | undefined, string>;
      sound: ColumnType<ScreenSound, string | undefined, string>;
      working_hours: ColumnType<WorkingHours | null, string | undefined, string | null>;
      volume: number | null;
      volume_hours: ColumnType<LevelHours, string | undefined, string>;
      brightness: number | null;
      brightness_hours: ColumnType<LevelHours, string | undefined, string>;
      player_version: string | null;
      player_kind: string | null;
      app_package: string | null;
      app_code: number | null;
      lease: string | null;
      last_seen_at: Date | null;
      /** The same for a sort; `infinity` while it is connected. */
      seen_at: ColumnType<Date, never, never>;
      free_bytes: number | null;
      playing: Json<{ main?: ReportedPlaying | null; secondary?: ReportedPlaying | null }> | null;
      playing_at: Date | null;
      silent: Generated<boolean>;
      created_at: Generated<Date>;
    };
    /** What a device should hold and has reported of it; each device has one from the start. Its device is locked first. */
    device_revisions: {
      device_id: string;
      revision: Generated<number>;
      manifest_revision: Generated<number>;
      manifest_version: string | null;
      reported_revision: Generated<number>;
      reported_version: string | null;
      done_revision: Generated<number>;
      download: Json<ReportedDownload> | null;
      operator_id: string | null;
    };
    /** Devices whose content waits; kept by triggers of `device_revisions`. */
    device_waits: { device_id: string; since: Generated<Date>; failed: boolean };
    /** The devices with their truths at this moment (a view). */
    devices_now: Tables['devices'] &
      Omit<Tables['device_revisions'], 'device_id'> & {
        failed: boolean;
        /** Null unless its content waits. */
        waiting_since: Date | null;
        online: boolean;
        done: boolean;
        expired: boolean;
        expiring: boolean;
      };
    pairings: {
      mac: string;
      secret_hash: Buffer;
      code: string;
      expires_at: Date;
      tries: Generated<number>;
      screens: Json<{ width?: number; height?: number }[]>;
      time_zone: string | null;
      player_version: string | null;
      player_kind: string | null;
      used_by: string | null;
      network: string | null;
      address: string | null;
      created_at: Generated<Date>;
      public_key: Json<SigningKey> | null;
    };
    /** The key by which a device signs its plays now. */
    device_keys: { device_id: string; public_key: Json<SigningKey>; registered_at: Generated<Date> };
    /** Each time a device was paired; the address is the one that it asked from. */
    device_pairings: {
      device_id: string;
      at: Generated<Date>;
      kind: PairingKind;
      by_name: string | null;
      address: string | null;
    };
    /** The expiry of a MAC whose device was deleted. */
    deleted_macs: {
      mac: string;
      expires_on: string | null;
      paired_at: Date | null;
      deleted_at: Generated<Date>;
    };
    /** When a device came or went. */
    /** When its files had failed; written by a trigger, and kept when the device is deleted. */
    device_failures: { device_id: string; since: Date; until: Date | null };
    presence_changes: { device_id: string; at: Date; online: boolean };
    /** Until when a device had other working hours (null: always) than afterwards; the database writes it. */
    past_hours: { device_id: string; until: Date; hours: ColumnType<WorkingHours | null, never, never> };
    screenshots: { device_id: string; screen: Screen; taken_at: Generated<Date>; picture: Buffer };
    batches: {
      id: string;
      operator_id: string;
      /** The person who ordered it; null once the colleague was deleted. */
      person_id: string | null;
      task: ColumnType<BatchTask, string, never>;
      total: number;
      reached: Generated<number>;
      failed: Generated<number>;
      started_at: Generated<Date>;
      moved_at: Generated<Date>;
      finished_at: Date | null;
      undone_at: Date | null;
    };
    batch_devices: {
      batch_id: string;
      place: number;
      device_id: string;
      mac: string | null;
      name: string | null;
      error: string | null;
      before: Json<Values> | null;
      after: Json<Values> | null;
      withdrawn: string[] | null;
    };
    device_commands: { device_id: string; command: DeviceCommand; operator_id: string | null; id: Generated<string> };
  }
}
