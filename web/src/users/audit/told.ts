import { AppType, BatchChange, Role } from '@ams/contract';
import { z } from 'zod';

/** A detail that is missing or has an unexpected shape is left out. */
const maybe = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

const DeviceFacts = z.object({
  name: maybe(z.string()),
  /** The owner's username. */
  owner: maybe(z.string()),
  expiresAt: maybe(z.iso.date().nullable()),
  timeZone: maybe(z.string()),
  area: maybe(z.string().nullable()),
  address: maybe(z.string().nullable()),
});

/** Fields of an entry's details, for all actions. */
const Details = DeviceFacts.extend({
  remark: maybe(z.string()),
  phone: maybe(z.string().nullable()),
  role: maybe(Role),
  /** Invitation codes made, or devices added. */
  count: maybe(z.number()),
  /** Devices that a release went to, or that a batch changed. */
  devices: maybe(z.number()),
  /** A file's name before. */
  from: maybe(z.string()),
  /** A device's facts before. */
  before: maybe(DeviceFacts),
  /** What a batch changed, the most frequent change first. */
  changes: maybe(z.array(BatchChange)),
  /** How a device was paired. */
  kind: maybe(z.enum(['new', 'key', 'replaced'])),
  package: maybe(z.string()),
  code: maybe(z.number()),
  published: maybe(z.boolean()),
  forced: maybe(z.boolean()),
  istype: maybe(AppType),
  content: maybe(z.string()),
});
export type Told = z.output<typeof Details>;

/** The details of an entry that have words here. */
export const toldIn = (details: Record<string, unknown> | null): Told => Details.parse(details ?? {});
