import { expect, it } from 'vitest';
import { entryOf, menuOf } from './menu.ts';

it.each([
  ['/', '/'],
  ['/applist', '/'],
  ['/reports', '/'],
  ['/alerts', '/'],
  ['/audit', '/user'],
  ['/settings', '/'],
  ['/password', '/'],
  ['/second-factor', '/'],
  ['/scancode', '/mac'],
  ['/groups', '/mac'],
  ['/calendar', '/mac'],
  ['/adlist/1/mia/0/0/0', '/ad'],
  ['/releases/1', '/ad'],
  ['/takeover', '/ad'],
  ['/takeovers/1', '/ad'],
  ['/campaigns/1', '/campaigns'],
  ['/approvals', '/campaigns'],
  ['/revenue', '/campaigns'],
  ['/occupancy', '/campaigns'],
  ['/upload/1/mia/0/0/0/1/2', '/file'],
])('%s belongs to the entry that leads to %s', (page, entry) => {
  expect(entryOf(menuOf('leading', true), page)?.to).toBe(entry);
});

it('members have no list of users; their account belongs to home', () => {
  const menu = menuOf('member', true);
  expect(menu.map(({ to }) => to)).toEqual(['/', '/mac', '/ad', '/campaigns', '/file']);
  expect(entryOf(menu, '/password')?.to).toBe('/');
  expect(entryOf(menu, '/user/1')?.to).toBe('/');
});

it.each(['leading', 'member'] as const)('on the bar of a phone, campaigns of a %s belong to the ads', (role) => {
  const bar = menuOf(role, false);
  expect(bar.map(({ to }) => to)).not.toContain('/campaigns');
  expect(entryOf(bar, '/campaigns/1')?.to).toBe('/ad');
});
