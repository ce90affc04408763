import { z } from 'zod';
import { QueryFlag } from '../kernel/page.ts';
import { Id } from '../kernel/route.ts';
import { Orientation } from '../vocabulary.ts';
import { Tag, TAGS_MAX } from './tags.ts';

/** A device that is online and whose content has been waiting for longer is `stalled`, to a quarter of an hour. */
export const STALLED_MINUTES = 60;

const Flag = z.union([z.boolean(), QueryFlag]);

const FilterTags = z.array(Tag).max(TAGS_MAX);

/** The lists are there for code that needs no schema. */
export const TAG_SETS = ['all', 'any', 'none'] as const;
export const DOWNLOADS = ['waiting', 'done', 'failed', 'stalled'] as const;
export const EXPIRIES = ['expired', 'expiring', 'valid'] as const;
/** Characters of a text that is searched for. */
export const FILTER_TEXT_MAX = 100;

/** Devices that have all of these tags, at least one of those, and none of others. */
export const TagFilter = z.strictObject({
  all: FilterTags.optional(),
  any: FilterTags.optional(),
  none: FilterTags.optional(),
} satisfies Record<(typeof TAG_SETS)[number], z.ZodType>);
export type TagFilter = z.output<typeof TagFilter>;

/**
 * Which devices a list shows: those that satisfy all of these. Texts are compared regardless of case. An unknown name is
 * refused: without its condition, more devices would be chosen than somebody meant.
 */
export const DeviceFilter = z.strictObject({
  /** Part of the MAC, name, owner, area or address. */
  q: z.string().trim().max(FILTER_TEXT_MAX).optional(),
  owner: Id.optional(),
  online: Flag.optional(),
  /** Whether a player has ever been paired with the device. */
  paired: Flag.optional(),
  /** Outside its working hours now: it is dark on purpose, online or not. */
  dark: Flag.optional(),
  /** `waiting` includes `failed` and `stalled`. */
  download: z.enum(DOWNLOADS).optional(),
  expiry: z.enum(EXPIRIES).optional(),
  orientation: Orientation.optional(),
  /** Not of the other orientation: devices that have not reported their screens yet fit both. */
  fits: Orientation.optional(),
  /** Has a live release of this ad, begun or planned. */
  ad: Id.optional(),
  /** A normal or urgent release of this ad has begun there: neither a planned one nor default content nor a campaign. */
  releasedAd: Id.optional(),
  /** The whole area. */
  area: z.string().trim().max(FILTER_TEXT_MAX).optional(),
  tags: TagFilter.optional(),
  /** The devices of this group, by its filter and in the scope of its owner. */
  group: Id.optional(),
});
export type DeviceFilter = z.output<typeof DeviceFilter>;

/** The filter of a group, which cannot refer to another group. */
export const GroupFilter = DeviceFilter.omit({ group: true });
export type GroupFilter = z.output<typeof GroupFilter>;

/** Whether a device satisfies a condition until somebody changes the device; otherwise the answer changes by itself. */
const IS_LASTING: Record<keyof GroupFilter, boolean> = {
  q: true,
  owner: true,
  online: false,
  paired: true,
  dark: false,
  download: false,
  expiry: false,
  orientation: true,
  fits: true,
  ad: false,
  releasedAd: false,
  area: true,
  tags: true,
};

/** The conditions of a filter that a standing release cannot have, because devices come and go without any change. */
export const passingConditions = (filter: GroupFilter): string[] =>
  Object.entries(IS_LASTING).flatMap(([key, isLasting]) =>
    !isLasting && Object.entries(filter).some(([name, value]) => name === key && value !== undefined) ? [key] : [],
  );

/** The filter of a group in an answer: already read, so that nothing is transformed. */
export const ShownFilter = z.object({
  ...GroupFilter.omit({ online: true, paired: true, dark: true, tags: true }).shape,
  online: z.boolean().optional(),
  paired: z.boolean().optional(),
  dark: z.boolean().optional(),
  tags: z
    .object({ all: z.array(z.string()), any: z.array(z.string()), none: z.array(z.string()) })
    .partial()
    .optional(),
}) satisfies z.ZodType<GroupFilter>;

/** Tags in an address: `?tag=lyon&tag=portrait`. */
const QueryTags = z.union([Tag.transform((tag) => [tag]), FilterTags]).optional();

/** A device filter in an address. `tag`: all of them, `anyTag`: at least one, `noTag`: none. */
export const DeviceQuery = z.object(DeviceFilter.omit({ tags: true }).shape).extend({
  tag: QueryTags,
  anyTag: QueryTags,
  noTag: QueryTags,
});
export type DeviceQuery = z.output<typeof DeviceQuery>;

/** The filter that an address contains. */
export function filterOfQuery<T extends DeviceQuery>({ tag: all, anyTag: any, noTag: none, ...rest }: T) {
  if (!all && !any && !none) return rest;
  return { ...rest, tags: { ...(all && { all }), ...(any && { any }), ...(none && { none }) } };
}

/** The address of a filter. */
export function queryOfFilter<T extends DeviceFilter>({ tags, ...rest }: T) {
  return { ...rest, ...(tags && { tag: tags.all, anyTag: tags.any, noTag: tags.none }) };
}
