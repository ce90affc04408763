import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitting, reduction } from './fitting.ts';

const side = fc.integer({ min: 1, max: 8000 });
const size = fc.record({ width: side, height: side });
const box = fc.record({ x: side, y: side, width: side, height: side });

test('contain shows the whole picture, undistorted, within its box and touching two of its edges', () => {
  fc.assert(
    fc.property(size, box, (picture, place) => {
      const { from, to } = fitting(picture, place, 'contain') ?? fail();
      expect(from).toEqual({ x: 0, y: 0, ...picture });
      expect(to.width / to.height).toBeCloseTo(picture.width / picture.height, 6);
      expect(Math.max(to.width / place.width, to.height / place.height)).toBeCloseTo(1, 6);
      expect(to.x + to.width / 2).toBeCloseTo(place.x + place.width / 2, 6);
      expect(to.y + to.height / 2).toBeCloseTo(place.y + place.height / 2, 6);
    }),
  );
});

test('cover fills the whole box with the undistorted middle of the picture', () => {
  fc.assert(
    fc.property(size, box, (picture, place) => {
      const { from, to } = fitting(picture, place, 'cover') ?? fail();
      expect(to).toEqual(place);
      expect(from.width / from.height).toBeCloseTo(place.width / place.height, 6);
      expect(Math.max(from.width / picture.width, from.height / picture.height)).toBeCloseTo(1, 6);
      expect(from.x + from.width / 2).toBeCloseTo(picture.width / 2, 6);
      expect(from.y + from.height / 2).toBeCloseTo(picture.height / 2, 6);
    }),
  );
});

test('a video of no size and a region of no size are not drawn', () => {
  expect(fitting({ width: 0, height: 0 }, { x: 0, y: 0, width: 9, height: 9 }, 'contain')).toBeUndefined();
  expect(fitting({ width: 9, height: 9 }, { x: 0, y: 0, width: 0, height: 9 }, 'cover')).toBeUndefined();
});

test('a large screen is sent smaller, a small one as it is', () => {
  expect(reduction({ width: 3840, height: 2160 }, 1280)).toBeCloseTo(1 / 3);
  expect(reduction({ width: 800, height: 600 }, 1280)).toBe(1);
});

const fail = (): never => {
  throw new Error('nothing to draw');
};
