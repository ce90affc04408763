import type { Ad, DeviceChoice, Priority, Schedule, Screen, Stages } from '@ams/contract';

/** An ad as it is stored, without how far it reaches: counting its devices takes long when they are many. */
export type StoredAd = Omit<Ad, 'devices' | 'outdatedDevices' | 'changedSinceRelease' | 'releasedAt'>;

/** How an ad is released: to which devices, and how it plays there. */
export interface Order {
  devices: DeviceChoice;
  standing?: boolean | undefined;
  screen?: Screen | null | undefined;
  replace: boolean;
  priority: Priority;
  schedule?: Schedule | null | undefined;
  /** When a takeover ends; null before it starts. */
  endsAt?: Date | null;
  stages?: Stages | null | undefined;
  goOnAt: number;
  stopAbove: number;
}
