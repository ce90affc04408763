import type { Device, DeviceFile } from '@ams/contract';
import type { RawBuilder } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Matched, Taken, Touched } from './devices.service.ts';

/** How devices that are added or changed get and lose standing releases. */
export type StandingLinks = Pick<DeviceLinks, 'shareStanding' | 'matchDevices'>;

/** Functions of other features that devices call: given where the features are put together. */
export interface DeviceLinks {
  /** The files that a device holds and plays. */
  filesOn(db: Db, device: Device): Promise<DeviceFile[]>;
  /** Takes back all that is released to these devices (a query of ids). */
  withdrawFrom(trx: Db, operatorId: string, devices: RawBuilder<unknown>): Promise<Taken[]>;
  /** Locks what is released to these devices (a query of ids), and `further` releases, before the devices themselves are locked. */
  lockReleasesOn(trx: Db, devices: RawBuilder<unknown>, further?: readonly string[]): Promise<unknown>;
  /**
   * Locks the ads of what is released to these devices (a query of ids), and of `further` releases, after people and before
   * `shareStanding`: ads count their releases, and are not deleted meanwhile.
   */
  lockAdsOn(trx: Db, devices: RawBuilder<unknown>, further?: readonly string[]): Promise<unknown>;
  /** Takes back what the former owners' people released to devices that moved. */
  withdrawForeign(trx: Db, operatorId: string, moved: readonly Touched[]): Promise<Taken[]>;
  /** Brings back releases that were taken from devices, as far as they may play there now. Returns the devices that lack one. */
  restoreReleases(trx: Db, taken: readonly Omit<Taken, 'begun'>[]): Promise<Set<string>>;
  /** Before devices change: no standing release begins, ends or changes until the transaction ends. Locks people first. */
  shareStanding(trx: Db): Promise<unknown>;
  /** After devices were added or changed: they get and lose standing releases. */
  matchDevices(trx: Db, ids: readonly string[]): Promise<Matched>;
  /** A device of this owner was replaced by another one with its MAC. */
  replaced(trx: Db, ownerId: string, deviceId: string): Promise<unknown>;
}
