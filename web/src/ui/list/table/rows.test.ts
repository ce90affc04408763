import { expect, test } from 'vitest';
import { itemsBetween, rowAfter } from './rows.ts';

const items = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const idsBetween = (from: string | undefined, to: number) => itemsBetween(items, from, to).map(({ id }) => id);

test('keys move by a row, by a page and to the ends, and stay within the list', () => {
  expect(rowAfter('ArrowDown', -1, 4, 2)).toBe(0);
  expect(rowAfter('ArrowDown', 3, 4, 2)).toBe(3);
  expect(rowAfter('ArrowUp', 0, 4, 2)).toBe(0);
  expect(rowAfter('PageDown', 0, 4, 2)).toBe(2);
  expect(rowAfter('PageUp', 3, 4, 2)).toBe(1);
  expect(rowAfter('Home', 3, 4, 2)).toBe(0);
  expect(rowAfter('End', 0, 4, 2)).toBe(3);
  expect(rowAfter('x', 0, 4, 2)).toBeUndefined();
  expect(rowAfter('Home', -1, 0, 2)).toBeUndefined();
});

test('a range goes either way from its anchor, and is one row when the anchor is gone', () => {
  expect(idsBetween('b', 3)).toEqual(['b', 'c', 'd']);
  expect(idsBetween('d', 1)).toEqual(['b', 'c', 'd']);
  expect(idsBetween('c', 2)).toEqual(['c']);
  expect(idsBetween('gone', 2)).toEqual(['c']);
  expect(idsBetween(undefined, 0)).toEqual(['a']);
});
