import { expect, test } from 'vitest';
import { chooseLanguage, directionOf } from './language.ts';

test.each([
  ['zh-CN', 'zh'],
  ['de-DE', 'de'],
  ['de-AT', 'de'],
  ['de-LI', 'de'],
  ['de-CH', 'de'],
  ['fr', 'fr'],
  ['pt-BR', 'pt'],
  ['ar', 'ar'],
  ['nl-NL', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('the browser’s %s shows %s', (browser, shown) => {
  expect(chooseLanguage(undefined, browser)).toBe(shown);
});

test('the stored choice goes before the browser’s language, unless it is none', () => {
  expect(chooseLanguage('tr', 'zh-CN')).toBe('tr');
  expect(chooseLanguage('xx', 'zh-CN')).toBe('zh');
});

test('Arabic alone runs from right to left', () => {
  expect(directionOf('ar')).toBe('rtl');
  expect(directionOf('zh')).toBe('ltr');
});
