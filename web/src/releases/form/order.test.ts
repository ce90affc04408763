import { expect, test } from 'vitest';
import { filterOf, type Subject, newOrder, releaseBody } from './order.ts';

const subject: Subject = { owner: 'anna', orientation: 'vertical', ad: 'ad' };

test('the screen is named only for ads made for two screens', () => {
  const order = { ...newOrder(), screen: 'secondary' as const };
  expect(releaseBody(order, subject, true).screen).toBe('secondary');
  expect(releaseBody(order, subject, false).screen).toBeNull();
});

test('all devices that fit are asked for by their owner, some by their ids', () => {
  expect(releaseBody(newOrder(), subject, false).devices).toEqual({ filter: { owner: 'anna', fits: 'vertical' } });
  const devices = ['a', 'b'].map((id) => ({ id, orientation: null }));
  const some = { ...newOrder(), target: { kind: 'chosen' as const, devices } };
  expect(releaseBody(some, subject, false).devices).toEqual({ ids: ['a', 'b'] });
});

test('an ad that was released somewhere is sent there again, another to all that fit it', () => {
  expect(newOrder(1).target).toEqual({ kind: 'playing' });
  expect(newOrder(0).target).toEqual({ kind: 'all' });
});

test('devices that the ad was released to and devices that a filter shows are asked for by a filter', () => {
  expect(filterOf({ kind: 'playing' }, subject)).toEqual({ releasedAd: 'ad' });
  const filter = { q: 'lyon', online: true };
  expect(filterOf({ kind: 'matching', filter }, subject)).toEqual(filter);
});
