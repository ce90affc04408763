import { Schedule } from '@ams/contract';
import { expect, test } from 'vitest';
import { NO_SCHEDULE, scheduleIssues, scheduleOf } from './scheduleDraft.ts';

test('a schedule that says nothing is none, and every weekday is every day', () => {
  expect(scheduleOf(NO_SCHEDULE)).toBeNull();
  expect(scheduleOf({ ...NO_SCHEDULE, weekdays: [7, 1, 2, 3, 4, 5, 6] })).toBeNull();
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
  const issues = scheduleIssues({ ...NO_SCHEDULE, from: '2026-12-10', to: '2026-12-01' });
  expect(issues.map((issue) => issue.message)).toEqual(['schedule.order']);
});
