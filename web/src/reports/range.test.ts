import { expect, test } from 'vitest';
import { faultOf, rangeOf } from './range.ts';

test('yesterday is the whole day before today', () => {
  expect(rangeOf('yesterday', '2026-03-01', {})).toEqual({ from: '2026-02-28', to: '2026-02-28' });
});

test('the last month is the whole one before today', () => {
  expect(rangeOf('month', '2026-03-31', {})).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(rangeOf('month', '2026-01-01', {})).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(rangeOf('7', '2026-01-01', {})).toEqual({ days: 7 });
});

test('dates that cannot be asked for have a reason', () => {
  expect(faultOf({ from: '2026-01-01' })).toBe('report.days');
  expect(faultOf({ from: '2026-01-02', to: '2026-01-01' })).toBe('schedule.order');
  expect(faultOf({ from: '2025-01-01', to: '2026-01-02' })).toBe('report.range');
  expect(faultOf({ from: '2025-01-01', to: '2026-01-01' })).toBeUndefined();
  expect(faultOf({ days: 30 })).toBeUndefined();
});
