import type { Orientation } from '@ams/contract';
import type { Order, Target } from './order.ts';

/** What the choice of devices has to know of the form. */
export interface TargetProps {
  owner: { id: string; username: string };
  orientation: Orientation;
  /** The ad as it is stored. */
  ad: { id: string } | undefined;
  /** How many devices the target means. */
  count: number;
  order: Order;
  /** The ad is made for two screens: devices with one are marked when the second is meant. */
  dual: boolean;
  onTarget: (target: Target) => void;
  onStanding: (standing: boolean) => void;
}
