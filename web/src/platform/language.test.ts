import { expect, test } from 'vitest';
import { chooseLanguage, dateLocaleOf, directionOf } from './language.ts';

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

test.each([
  ['en', ['en-US', 'en'], 'Nov 22, 2026, 15:00'],
  ['en', ['en-GB'], '22 Nov 2026, 15:00'],
  ['en', ['de-DE', 'de', 'en-US', 'en'], '22 Nov 2026, 15:00'],
  ['en', ['en'], 'Nov 22, 2026, 15:00'],
  ['en', [], 'Nov 22, 2026, 15:00'],
  ['en', ['no tag', 'en-AU'], '22 Nov 2026, 15:00'],
  ['pt', ['pt-PT'], '22/11/2026, 15:00'],
  ['de', ['en-US', 'de-AT'], '22.11.2026, 15:00'],
  ['zh', ['zh-TW', 'zh-CN'], '2026年11月22日 15:00'],
])('dates in %s on a browser of %j are written as %s', (language, browser, text) => {
  const format = new Intl.DateTimeFormat(dateLocaleOf(language, browser), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  expect(format.format(new Date('2026-11-22T15:00:00Z'))).toBe(text);
});

test('digits and calendar stay those of the language', () => {
  expect(new Intl.DateTimeFormat(dateLocaleOf('ar', ['ar-SA']), { timeZone: 'UTC' }).format(0)).toContain('1970');
});
