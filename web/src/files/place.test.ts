import { FILE_KINDS, teamIdOf } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Place, kindOf, placePath, placeOf, splitKinds, subTabOf } from './place.ts';

const owner = { id: '0198a1b2-0000-7000-8000-000000000001', username: 'anna' };

const places: fc.Arbitrary<Place> = fc.record({
  orientation: fc.constantFrom('vertical', 'horizontal'),
  tab: fc.constantFrom(0, 1, 2),
  vertical: fc.nat({ max: splitKinds('vertical').length - 1 }),
  horizontal: fc.nat({ max: splitKinds('horizontal').length - 1 }),
});

/** The parameters of /matlist/:id/:username?/:tactive?/:vactive?/:hactive?/:teamid?/:type? */
function read(path: string): Place {
  const [, , id, username, tactive, vactive, hactive, teamid, type] = path.split('/');
  return placeOf({ id, username, tactive, vactive, hactive, teamid, type });
}

test('an address leads back to the place it was made of', () => {
  fc.assert(
    fc.property(places, (place) => {
      expect(read(placePath(owner, place))).toEqual(place);
    }),
  );
});

test('any address shows some kind', () => {
  const texts = fc.option(fc.constantFrom('', '0', '1', '2', '3', '5', '9', '-1', '1.5', 'x'), { nil: undefined });
  const params = fc.record({ tactive: texts, vactive: texts, hactive: texts, teamid: texts, type: texts });
  fc.assert(
    fc.property(params, (given) => {
      expect(FILE_KINDS).toContain(kindOf(placeOf(given)));
    }),
  );
});

test('every kind has its tab', () => {
  for (const kind of FILE_KINDS) {
    const place = placeOf({ teamid: teamIdOf(kind.orientation), type: String(kind.kind) });
    expect(kindOf(place)).toBe(kind);
  }
});

test('split pictures: types 3, 4, 5 on a vertical screen and 3, 4 on a horizontal one', () => {
  expect(splitKinds('vertical').map(({ kind }) => kind)).toEqual([3, 4, 5]);
  expect(splitKinds('horizontal').map(({ kind }) => kind)).toEqual([3, 4]);
});

test('the bare address of an owner shows full-screen pictures of the vertical screen', () => {
  const place = read(`/matlist/${owner.id}`);
  expect([place.orientation, place.tab, subTabOf(place)]).toEqual(['vertical', 0, 0]);
});
