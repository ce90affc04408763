import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { joined } from './bidi.ts';

afterEach(() => void vi.restoreAllMocks());

test('facts of a line are isolated from each other where they may run in different directions', () => {
  vi.spyOn(i18next, 'dir').mockReturnValue('rtl');
  expect(joined(['lumencafe', null, '23‏/11‏/2026'])).toBe('\u2068lumencafe\u2069 · \u206823‏/11‏/2026\u2069');
});

test('a line of one direction has no hidden characters; a name of the other direction is isolated', () => {
  vi.spyOn(i18next, 'dir').mockReturnValue('ltr');
  expect(joined(['lumencafe', undefined, '', false, '23 Nov 2026'])).toBe('lumencafe · 23 Nov 2026');
  expect(joined(['مقهى', '23 Nov 2026'])).toBe('\u2068مقهى\u2069 · 23 Nov 2026');
});
