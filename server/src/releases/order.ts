import type { DeviceChoice, Priority, Schedule, Screen, Stages } from '@ams/contract';

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
