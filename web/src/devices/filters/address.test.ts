import {
  DeviceQuery,
  DOWNLOADS,
  EXPIRIES,
  filterOfQuery,
  isTag,
  ORIENTATIONS,
  splitTags,
  TAGS_MAX,
} from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOfFilter, CONDITIONS, filterOfAddress, tagsInAddress, tagsWith } from './address.ts';

const ID = '0190a000-0000-7000-8000-000000000001';

test('the address of a filter contains it', () => {
  const filter = {
    q: 'hall & yard',
    owner: ID,
    online: false,
    paired: true,
    dark: false,
    download: 'stalled' as const,
    expiry: 'valid' as const,
    orientation: 'vertical' as const,
    fits: 'horizontal' as const,
    ad: ID,
    area: 'Lyon',
    group: ID,
    tags: { all: ['lyon', 'shop window'], any: ['bäckerei'], none: ['outdoors', 'test'] },
  };
  expect(filterOfAddress(Object.fromEntries(new URLSearchParams(addressOfFilter(filter))))).toEqual(filter);
  expect(addressOfFilter({})).toBe('');
});

test('an address can contain every condition', () => {
  const address = {
    q: 'hall',
    owner: ID,
    online: 'true',
    paired: 'false',
    dark: 'false',
    download: 'stalled',
    expiry: 'valid',
    orientation: 'vertical',
    fits: 'horizontal',
    ad: ID,
    releasedAd: ID,
    area: 'Lyon',
    group: ID,
    tag: 'LYON,Shop  window',
    anyTag: 'bakery',
    noTag: 'outdoors,test',
  };
  expect(Object.keys(address).toSorted()).toEqual(CONDITIONS.toSorted());
  expect(filterOfAddress(address)).toEqual({
    ...address,
    online: true,
    paired: false,
    dark: false,
    tag: undefined,
    anyTag: undefined,
    noTag: undefined,
    tags: { all: ['lyon', 'shop window'], any: ['bakery'], none: ['outdoors', 'test'] },
  });
});

test('conditions that nobody can read are left out, and the others stay', () => {
  expect(filterOfAddress({ owner: 'nobody', ad: '1', online: 'perhaps', download: 'soon', q: 'hall' })).toEqual({
    q: 'hall',
  });
  expect(filterOfAddress({ tag: ' , ,', noTag: 'x'.repeat(31), q: 'hall' })).toEqual({ q: 'hall' });
  const many = Array.from({ length: 25 }, (_, index) => `tag ${index}`);
  expect(filterOfAddress({ anyTag: many.join(',') }).tags?.any).toHaveLength(20);
});

/** The filter by the schema of the query: conditions in which it finds an error are left out. */
function bySchema({ tag, anyTag, noTag, ...rest }: Partial<Record<keyof DeviceQuery, string>>) {
  const tagsOf = (text: string | undefined) => {
    const tags = splitTags(text ?? '').filter(isTag);
    return tags.length > 0 ? tags.slice(0, TAGS_MAX) : undefined;
  };
  const given = { ...rest, tag: tagsOf(tag), anyTag: tagsOf(anyTag), noTag: tagsOf(noTag) };
  const wrong = new Set(DeviceQuery.safeParse(given).error?.issues.map(({ path }) => path[0]));
  return filterOfQuery(
    DeviceQuery.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)))),
  );
}

test('an address is read as the schema of the query reads it', () => {
  const anyText = fc.oneof(
    fc.constantFrom('true', 'false', 'TRUE', '', ' ', ...DOWNLOADS, ...EXPIRIES, ...ORIENTATIONS),
    fc.uuid(),
    fc.uuid().map((id) => id.toUpperCase()),
    fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
    fc.string({ maxLength: 110 }),
    fc.integer({ min: 98, max: 102 }).map((length) => ` ${'a'.repeat(length)} `),
    fc.array(fc.string({ maxLength: 32 }), { maxLength: 25 }).map((tags) => tags.join(',')),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...CONDITIONS), anyText), (address) => {
      expect(filterOfAddress(address)).toEqual(bySchema(address));
    }),
    { numRuns: 2000 },
  );
});

test('a tag is in one set only; a set without tags leaves the address', () => {
  const before = { all: ['lyon', 'portrait'], none: ['outdoors'] };
  expect(tagsWith(before, 'any', ['lyon', 'portrait'])).toEqual({ any: ['lyon', 'portrait'], none: ['outdoors'] });
  expect(tagsWith(before, 'none', ['test', 'outdoors'])).toEqual({
    all: ['lyon', 'portrait'],
    none: ['test', 'outdoors'],
  });
  expect(tagsInAddress({ all: ['lyon', 'portrait'] })).toEqual({
    tag: 'lyon,portrait',
    anyTag: undefined,
    noTag: undefined,
  });
});
