import {
  type CreateReleaseBody,
  type Device,
  type DeviceFilter,
  type Orientation,
  passingConditions,
  type ReleasePriority,
  type Screen,
} from '@ams/contract';
import { NO_SCHEDULE, type ScheduleDraft, scheduleOf } from '../../ui/form/scheduleDraft.ts';
import { type RolloutDraft, rolloutBody } from './rollout.ts';

/** A device as far as the form has to know it. */
export type Picked = Pick<Device, 'id' | 'orientation'>;

/** Devices that the ad was released to, all of its owner that fit it, those ticked, or all that a filter of the list shows. */
export type Target =
  | { kind: 'playing' }
  | { kind: 'all' }
  | { kind: 'chosen'; devices: readonly Picked[] }
  | { kind: 'matching'; filter: DeviceFilter };

/** What an order is for: the devices that a target means depend on it. */
export interface Subject {
  owner: string;
  orientation: Orientation;
  /** Undefined until it is stored. */
  ad: string | undefined;
}

/** How an ad is sent: to which devices, when it plays, and beside or instead of what. */
export interface Order {
  target: Target;
  /** Devices that match later get it, too. */
  standing: boolean;
  /** Which screen; counts for ads made for dual screens. */
  screen: Screen;
  replace: boolean;
  priority: ReleasePriority;
  schedule: ScheduleDraft;
  rollout: RolloutDraft;
}

/** Aims at the `playing` devices that the ad was released to; at all that fit it when there are none. */
export const newOrder = (playing = 0): Order => ({
  target: { kind: playing > 0 ? 'playing' : 'all' },
  standing: false,
  screen: 'main',
  replace: true,
  priority: 'normal',
  schedule: NO_SCHEDULE,
  rollout: { kind: 'atOnce' },
});

/** The devices on which a release of the ad has begun: not those that a rollout, default content or a campaign gives it. */
export const whereItPlays = (ad: string): DeviceFilter => ({ releasedAd: ad });

/** The order after its ad was deleted, which plays nowhere: nobody has chosen other devices yet. */
export const withoutAd = (order: Order): Order =>
  order.target.kind === 'playing' ? { ...order, target: { kind: 'chosen', devices: [] } } : order;

/** The filter of the devices that a target means; undefined for devices that were ticked. */
export function filterOf(target: Target, { owner, orientation, ad }: Subject): DeviceFilter | undefined {
  switch (target.kind) {
    case 'playing':
      return ad === undefined ? { owner, fits: orientation } : whereItPlays(ad);
    case 'all':
      return { owner, fits: orientation };
    case 'matching':
      return target.filter;
    case 'chosen':
      return undefined;
  }
}

/** Whether devices can match the target later: a filter whose conditions change with a device only. */
export function canStand(target: Target, subject: Subject): boolean {
  const filter = filterOf(target, subject);
  if (filter === undefined) return false;
  const { group: _, ...conditions } = filter;
  return passingConditions(conditions).length === 0;
}

export const isStanding = (order: Order, subject: Subject): boolean =>
  order.standing && canStand(order.target, subject);

export const pickedIn = (target: Target): readonly Picked[] => (target.kind === 'chosen' ? target.devices : []);

export function releaseBody(order: Order, subject: Subject, dual: boolean): CreateReleaseBody {
  const filter = filterOf(order.target, subject);
  return {
    devices: filter ? { filter } : { ids: pickedIn(order.target).map(({ id }) => id) },
    standing: isStanding(order, subject),
    screen: dual ? order.screen : null,
    replace: order.replace,
    priority: order.priority,
    schedule: scheduleOf(order.schedule),
    ...rolloutBody(order.rollout),
  };
}
