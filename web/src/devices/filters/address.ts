import {
  type DeviceFilter,
  DeviceQuery,
  filterOfQuery,
  isTag,
  queryOfFilter,
  splitTags,
  TagFilter,
  TAGS_MAX,
} from '@ams/contract';

/** The filters of the device list, as the address names them: all that there are. */
export const CONDITIONS = DeviceQuery.keyof().options;
export type Condition = (typeof CONDITIONS)[number];

export type TagSet = keyof TagFilter;
export const TAG_SETS = TagFilter.keyof().options;

/** Tags in the address, separated by commas. */
const tagsOf = (text: string | undefined): string[] | undefined => {
  const tags = splitTags(text ?? '')
    .filter(isTag)
    .slice(0, TAGS_MAX);
  return tags.length > 0 ? tags : undefined;
};

/** The filter that an address contains; conditions that nobody can read are left out. */
export function filterOfAddress({ tag, anyTag, noTag, ...rest }: Partial<Record<Condition, string>>): DeviceFilter {
  const given = { ...rest, tag: tagsOf(tag), anyTag: tagsOf(anyTag), noTag: tagsOf(noTag) };
  const read = DeviceQuery.safeParse(given);
  if (read.success) return filterOfQuery(read.data);
  const wrong = new Set(read.error.issues.map(({ path }) => path[0]));
  return filterOfQuery(
    DeviceQuery.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)))),
  );
}

/** What the address says of tags. */
export function tagsInAddress(tags: TagFilter): Record<'tag' | 'anyTag' | 'noTag', string | undefined> {
  const { tag, anyTag, noTag } = queryOfFilter({ tags });
  return { tag: tag?.join(','), anyTag: anyTag?.join(','), noTag: noTag?.join(',') };
}

/** Tags with some more in one set. They leave the other sets, where they would say nothing or exclude every device. */
export function tagsWith(tags: TagFilter, to: TagSet, more: readonly string[]): TagFilter {
  const after: TagFilter = {};
  for (const name of TAG_SETS) {
    const others = (tags[name] ?? []).filter((tag) => !more.includes(tag));
    const kept = name === to ? [...others, ...more] : others;
    if (kept.length > 0) after[name] = kept;
  }
  return after;
}
