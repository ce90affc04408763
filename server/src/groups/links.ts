import type { GroupFilter } from '@ams/contract';
import type { Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';

/** A group as far as its devices depend on it: they match the filter in the scope of its owner. */
export interface DeviceSet {
  owner: Scoped;
  filter: GroupFilter;
}

/** Number of devices of a group, and their areas, the most frequent first. */
export interface Measure {
  devices: number;
  areas: string[];
}

/** What other features know of groups: given where the features are put together. */
export interface GroupLinks {
  /** The measures of groups, in their order. */
  measure(db: Db, sets: readonly DeviceSet[]): Promise<Measure[]>;
  /** Before a group changes or is deleted: no device and no standing release changes until the transaction ends. */
  lockStanding(trx: Db): Promise<unknown>;
  /** Standing releases on this group go to the devices of its new filter. Throws `STANDING_FILTER`. */
  filterChanged(trx: Db, groupId: string, filter: GroupFilter): Promise<void>;
  /** Throws `GROUP_IN_USE` while a standing release or somebody's alerts use a group. */
  beforeDelete(trx: Db, viewer: Scoped, groupId: string): Promise<void>;
}
