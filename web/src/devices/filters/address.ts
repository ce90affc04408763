import {
  type DeviceFilter,
  type DeviceQuery,
  DOWNLOADS,
  EXPIRIES,
  FILTER_TEXT_MAX,
  filterOfQuery,
  isTag,
  ORIENTATIONS,
  queryOfFilter,
  splitTags,
  TAG_SETS,
  type TagFilter,
  TAGS_MAX,
} from '@ams/contract';
import { oneOf } from '../../ui/layout/address.ts';

/** The filters of the device list, as the address names them: all that there are. */
export const CONDITIONS = [
  'q',
  'owner',
  'online',
  'paired',
  'dark',
  'download',
  'expiry',
  'orientation',
  'fits',
  'ad',
  'releasedAd',
  'area',
  'tag',
  'anyTag',
  'noTag',
  'group',
] as const satisfies readonly (keyof DeviceQuery)[];
export type Condition = (typeof CONDITIONS)[number];

export type TagSet = keyof TagFilter;

/** The value of a condition in an address; undefined: nobody can read it. */
type Read<Value> = (text: string) => Value | undefined;

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const id: Read<string> = (text) => (UUID.test(text) ? text.toLowerCase() : undefined);

const words: Read<string> = (text) => (text.trim().length <= FILTER_TEXT_MAX ? text.trim() : undefined);

const flag: Read<boolean> = (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined);

/** Tags in the address, separated by commas. */
const tagsIn: Read<string[]> = (text) => {
  const tags = splitTags(text).filter(isTag).slice(0, TAGS_MAX);
  return tags.length > 0 ? tags : undefined;
};

/**
 * The filter that an address contains; conditions that nobody can read are left out. They are read as by the schema of the
 * query, whose code would be a tenth of the script of the page.
 */
export function filterOfAddress(address: Partial<Record<Condition, string>>): DeviceFilter {
  const read = <Value>(name: Condition, readText: Read<Value>): Value | undefined => {
    const text = address[name];
    return text === undefined ? undefined : readText(text);
  };
  return filterOfQuery({
    q: read('q', words),
    owner: read('owner', id),
    online: read('online', flag),
    paired: read('paired', flag),
    dark: read('dark', flag),
    download: oneOf(DOWNLOADS, address.download),
    expiry: oneOf(EXPIRIES, address.expiry),
    orientation: oneOf(ORIENTATIONS, address.orientation),
    fits: oneOf(ORIENTATIONS, address.fits),
    ad: read('ad', id),
    releasedAd: read('releasedAd', id),
    area: read('area', words),
    tag: read('tag', tagsIn),
    anyTag: read('anyTag', tagsIn),
    noTag: read('noTag', tagsIn),
    group: read('group', id),
  } satisfies Record<keyof DeviceQuery, unknown>);
}

/** What the address says of tags. */
export function tagsInAddress(tags: TagFilter): Record<'tag' | 'anyTag' | 'noTag', string | undefined> {
  const { tag, anyTag, noTag } = queryOfFilter({ tags });
  return { tag: tag?.join(','), anyTag: anyTag?.join(','), noTag: noTag?.join(',') };
}

/** The condition of an address, without the question mark, that contains a filter. */
export function addressOfFilter({ tags = {}, ...rest }: DeviceFilter): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...rest, ...tagsInAddress(tags) })) {
    if (value !== undefined) values.set(name, String(value));
  }
  return values.toString();
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
