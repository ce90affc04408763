import { LANGUAGES } from '@ams/contract';
import { expect, test } from 'vitest';
import { weekdayNames } from './schedule.ts';

test.each(LANGUAGES)('the weekdays fit side by side on a phone and differ in %s', (language) => {
  const names = weekdayNames(language, 'column');
  expect(new Set(names).size).toBe(7);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(4);
});
