import type { ItemKind, PlayRefusal, Screen, SigningKey } from '@ams/contract';
import type { ColumnType, Generated } from 'kysely';

/** A play of a batch that counts for nothing, by its index: refused, or on record before. */
export type Uncounted = [index: number, reason: PlayRefusal | 'repeated'];

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
      /** What each play adds to the spots of its campaign; null: its time does not count for a campaign. */
      spot_part: number | null;
    };
    play_inboxes: {
      device_id: string;
      batches: Generated<string[]>;
      /** Plays that began then or earlier are no longer on record: whether one of them was counted is not known. */
      forgotten_to: Date | null;
    };
    plays: {
      device_id: string;
      at: Date;
      item_id: number;
      duration_ms: number;
      nth: number;
      received_on: Generated<string>;
    };
    /** Delivered spots by device, hour and creative; kept when the device is deleted, for the campaign's account. */
    campaign_hours: {
      campaign_id: string;
      device_id: string;
      /** When the hour begins by the device's clock, as an instant. */
      hour: Date;
      release_id: string;
      /** A sum of parts: whole once all plays of a round are counted. */
      spots: number;
      duration_ms: number;
    };
    /** The signed batches of one key of a device, by their numbers. */
    play_chains: {
      id: Generated<number>;
      device_id: string;
      mac: string;
      public_key: ColumnType<SigningKey, string, never>;
      registered_at: Date;
      first_seq: number;
      last_seq: number;
      last_hash: Buffer;
    };
    /** Missing batches of a chain; where the last is before the first, the link to that one is broken. */
    play_chain_gaps: { chain_id: number; first_seq: number; last_seq: number };
    /** Signed batches that hold plays of campaigns, as they came. */
    signed_batches: {
      chain_id: number;
      seq: number;
      hash: Buffer;
      signature: Buffer;
      /** Deflated. */
      signed: Buffer;
      campaign_ids: string[];
      uncounted: ColumnType<Uncounted[], string, never>;
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
