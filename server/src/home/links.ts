import type { RawBuilder } from 'kysely';
import type { Scoped } from '../platform/auth/scope.ts';

/** Functions of other features that the home page calls: given where the features are put together. */
export interface HomeLinks {
  /** The number of devices in scope that are offline outside their working hours. */
  offlineOnPurpose(viewer: Scoped): RawBuilder<number>;
  /** The numbers of releases and of campaigns that a user requested, that were rejected and not requested again since. */
  rejectedReleases(viewer: Scoped): RawBuilder<number>;
  rejectedCampaigns(viewer: Scoped): RawBuilder<number>;
}
