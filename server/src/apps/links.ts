import type { InstalledApp } from '@ams/contract';
import type { RawBuilder } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** Functions of devices that apps need: given where the features are put together. */
export interface AppLinks {
  /** Makes the devices of these owners (a query of ids) request their manifest again. */
  tellDevices(db: Db, owners: RawBuilder<unknown>): Promise<void>;
  /** Stores which app a device runs and returns the device's owner. Throws `UNAUTHENTICATED` without such a device. */
  noteInstalledApp(db: Db, deviceId: string, installed: InstalledApp): Promise<string>;
}
