import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths } from '@ams/contract';
import { isoOf, pickerRange } from './dates.ts';

const iso = fc
  .date({ min: new Date('2001-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('an instant is written as the day of the browser', () => {
  fc.assert(
    fc.property(iso, (date) => {
      expect(isoOf(new Date(`${date}T12:00:00`))).toBe(date);
    }),
  );
});

test('months later is the same day, or the last one of a shorter month', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(addMonths('2028-02-29', 12)).toBe('2029-02-28');
  expect(addMonths('2026-11-21', 6)).toBe('2027-05-21');
  fc.assert(
    fc.property(iso, fc.integer({ min: 1, max: 24 }), (date, months) => {
      const later = addMonths(date, months);
      expect(isoOf(new Date(`${later}T12:00:00`))).toBe(later);
      expect(later > date).toBe(true);
      expect(Number(later.slice(8))).toBeLessThanOrEqual(Number(date.slice(8)));
    }),
  );
});

test('the picker reaches whole years', () => {
  expect(pickerRange('2026-11-21', 10)).toEqual({ min: '2016-01-01', max: '2036-12-31' });
});
