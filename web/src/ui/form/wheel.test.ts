import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PICKER_OPTION_HEIGHT, PICKER_VISIBLE_OPTIONS } from '../../platform/constants.ts';
import { orderOf, partsOf, valuesOf, withPart, writerOf } from './wheel.ts';

const RANGE = { min: '2016-01-01', max: '2036-12-31' };
const date = fc
  .date({ min: new Date('2016-01-01T00:00:00Z'), max: new Date('2036-12-31T00:00:00Z'), noInvalidDate: true })
  .map((each) => each.toISOString().slice(0, 10));
const part = fc.constantFrom('year', 'month', 'day');

test('six options of 44 px are in view', () => {
  expect([PICKER_OPTION_HEIGHT, PICKER_VISIBLE_OPTIONS]).toEqual([44, 6]);
});

test('a calendar date survives the wheel', () => {
  fc.assert(
    fc.property(date, part, (day, each) => {
      expect(withPart(day, each, partsOf(day)[each])).toBe(day);
    }),
  );
});

test('every value of every column makes a date of its own month', () => {
  fc.assert(
    fc.property(date, part, (day, each) => {
      const values = valuesOf(each, day, RANGE);
      expect(values).toContain(partsOf(day)[each]);
      for (const value of values) {
        const next = withPart(day, each, value);
        expect(partsOf(next)[each]).toBe(value);
        expect(next >= RANGE.min && next <= RANGE.max).toBe(true);
      }
    }),
  );
});

test('a day that a month does not have becomes its last one', () => {
  expect(withPart('2026-01-31', 'month', 2)).toBe('2026-02-28');
  expect(withPart('2028-02-29', 'year', 2027)).toBe('2027-02-28');
});

test('each language has its own order and words', () => {
  expect(orderOf('en')).toEqual(['month', 'day', 'year']);
  expect(orderOf('de')).toEqual(['day', 'month', 'year']);
  expect(orderOf('zh')).toEqual(['year', 'month', 'day']);
  expect(writerOf('de', 'month')(11)).toBe('November');
  expect(writerOf('zh', 'year')(2026)).toBe('2026年');
});
