import { expect, test } from 'vitest';
import { CONDITIONS, filterOfAddress, tagsInAddress, tagsWith } from './address.ts';

const ID = '0190a000-0000-7000-8000-000000000001';

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
