import { z } from 'zod';
import { QueryFlag } from '../kernel/page.ts';
import { Orientation } from '../vocabulary.ts';

/** A device that is online and whose content has been waiting for longer is `stalled`, to a quarter of an hour. */
export const STALLED_MINUTES = 60;

const Flag = z.union([z.boolean(), QueryFlag]);

/** Which devices a list shows: those that satisfy all of these. Texts are compared regardless of case. */
export const DeviceFilter = z.object({
  /** Part of the MAC, name, owner, area or address. */
  q: z.string().trim().max(100).optional(),
  owner: z.uuid().optional(),
  online: Flag.optional(),
  /** Whether a player has ever been paired with the device. */
  paired: Flag.optional(),
  /** `waiting` includes `failed` and `stalled`. */
  download: z.enum(['waiting', 'done', 'failed', 'stalled']).optional(),
  expiry: z.enum(['expired', 'expiring', 'valid']).optional(),
  orientation: Orientation.optional(),
  /** Not of the other orientation: devices that have not reported their screens yet fit both. */
  fits: Orientation.optional(),
  /** Has a live release of this ad, begun or planned. */
  ad: z.uuid().optional(),
  /** The whole area. */
  area: z.string().trim().max(100).optional(),
});
export type DeviceFilter = z.output<typeof DeviceFilter>;
