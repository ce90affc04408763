import { DeviceFilter, type Device, Orientation } from '@ams/contract';
import { z } from 'zod';

const ReleaseTo = z.union([
  z.object({ devices: z.array(z.object({ id: z.uuid(), orientation: Orientation.nullable() })) }),
  z.object({ filter: DeviceFilter }),
]);

/**
 * The devices that the release form begins with: chosen ones, or all that a filter shows. The entry of the history
 * carries them, because an address has no room for a thousand ids.
 */
export type ReleaseTo = { devices: readonly Pick<Device, 'id' | 'orientation'>[] } | { filter: DeviceFilter };

const State = z.object({ releaseTo: ReleaseTo });

/** The state to navigate with. */
export const releaseState = (releaseTo: ReleaseTo): { releaseTo: ReleaseTo } => ({ releaseTo });

/** What `releaseState` put into an entry of the history. */
export const releaseToOf = (state: unknown): ReleaseTo | undefined => State.safeParse(state).data?.releaseTo;
