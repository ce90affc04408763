import { expect, test } from 'vitest';
import { formatMoney } from './money.ts';

/** Without marks of direction and with plain blanks. */
const plain = (text: string): string => text.replaceAll(/[\u200e\u200f\u061c]/g, '').replaceAll(/\s/g, ' ');

test.each([
  ['en', '0.05', 'EUR', '€0.05'],
  ['en', '0.0525', 'EUR', '€0.0525'],
  ['en', '12', 'EUR', '€12.00'],
  ['de', '1234.5', 'EUR', '1.234,50 €'],
  ['en', '500', 'JPY', '¥500'],
  ['en', '0.4', 'JPY', '¥0.4'],
  ['en', '1.5', 'KWD', 'KWD 1.500'],
  ['en', '1.5', 'HUF', 'HUF 1.50'],
  ['en', '1.5', 'IDR', 'IDR 1.50'],
  ['en', '999999999999.999999', 'USD', '$999,999,999,999.999999'],
  ['ar', '0.05', 'GBP', '0.05 UK£'],
])('in %s, %s %s is %s', (language, amount, currency, shown) => {
  expect(plain(formatMoney(language, amount, currency))).toBe(shown);
});

test.each(['GBP', 'USD', 'JPY'])('from right to left, the sign of %s stays behind its letters', (currency) => {
  expect(formatMoney('ar', '1.5', currency)).toMatch(/\p{Script=Latin}\p{Sc}\u200e$/u);
  expect(formatMoney('ar', '1.5', 'EUR')).toMatch(/€$/);
});
