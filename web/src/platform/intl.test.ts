import { expect, test, vi } from 'vitest';
import { browserZone, dateFormat, listFormat, numberFormat, relativeFormat } from './intl.ts';

test('a formatter is made once for each language and its options', () => {
  expect(numberFormat('en')).toBe(numberFormat('en'));
  expect(numberFormat('en', { style: 'percent' })).toBe(numberFormat('en', { style: 'percent' }));
  expect(numberFormat('en', { style: 'percent' }).format(0.5)).toBe('50%');
  expect(numberFormat('de').format(1234.5)).toBe('1.234,5');
  expect(numberFormat('en').format(1234.5)).toBe('1,234.5');
  expect(listFormat('en').format(['a', 'b'])).toBe('a and b');
  expect(relativeFormat('en', { numeric: 'auto' }).format(-1, 'day')).toBe('yesterday');
});

test('dates follow this browser to another time zone', () => {
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(0);
  const before = dateFormat('en', { timeStyle: 'short' });
  expect(dateFormat('en', { timeStyle: 'short' })).toBe(before);
  offset.mockReturnValue(-480);
  expect(dateFormat('en', { timeStyle: 'short' })).not.toBe(before);
  offset.mockRestore();
});

test('a browser that does not know its time zone counts as in UTC', () => {
  const unknown = { ...dateFormat('en').resolvedOptions(), timeZone: 'Etc/Unknown' };
  const options = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(unknown);
  expect(browserZone()).toBe('UTC');
  options.mockRestore();
});
