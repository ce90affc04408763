import { Schedule } from '@ams/contract';
import { expect, test } from 'vitest';
import {
  filterOf,
  type ScheduleDraft,
  type Subject,
  newOrder,
  releaseBody,
  scheduleIssues,
  scheduleOf,
} from './order.ts';

const subject: Subject = { owner: 'anna', orientation: 'vertical', ad: 'ad' };
const nothing: ScheduleDraft = { from: '', to: '', weekdays: [], hours: [] };

test('a schedule that says nothing is none, and every weekday is every day', () => {
  expect(scheduleOf(nothing)).toBeNull();
  expect(scheduleOf({ ...nothing, weekdays: [7, 1, 2, 3, 4, 5, 6] })).toBeNull();
});

test('what is typed becomes what the contract takes', () => {
  const schedule = scheduleOf({
    from: '2026-12-01',
    to: '',
    weekdays: [7, 1],
    hours: [{ id: 1, from: '22:00', to: '02:00' }],
  });
  expect(schedule).toEqual({ from: '2026-12-01', weekdays: [1, 7], hours: [{ from: '22:00', to: '02:00' }] });
  expect(Schedule.safeParse(schedule).success).toBe(true);
});

test('an end before the start is refused by the contract', () => {
  const issues = scheduleIssues({ ...nothing, from: '2026-12-10', to: '2026-12-01' });
  expect(issues.map((issue) => issue.message)).toEqual(['schedule.order']);
});

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

test('devices that have the ad and devices that a filter shows are asked for by a filter', () => {
  expect(filterOf({ kind: 'playing' }, subject)).toEqual({ ad: 'ad' });
  const filter = { q: 'lyon', online: true };
  expect(filterOf({ kind: 'matching', filter }, subject)).toEqual(filter);
});
