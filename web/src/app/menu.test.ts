import { expect, it } from 'vitest';
import { entryOf } from './menu.ts';

it.each([
  ['/', '/'],
  ['/applist', '/'],
  ['/reports', '/'],
  ['/alerts', '/'],
  ['/audit', '/user'],
  ['/password', '/user'],
  ['/second-factor', '/user'],
  ['/scancode', '/mac'],
  ['/adlist/1/mia/0/0/0', '/ad'],
  ['/releases/1', '/ad'],
  ['/upload/1/mia/0/0/0/1/2', '/file'],
])('%s belongs to the entry that leads to %s', (page, entry) => {
  expect(entryOf(page)?.to).toBe(entry);
});
