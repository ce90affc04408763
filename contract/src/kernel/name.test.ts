import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AdName } from '../ads.ts';
import { AppName } from '../apps.ts';
import { DeviceName } from '../devices.ts';
import { FileName } from '../files.ts';
import { Remark } from '../users.ts';
import { hasVisible } from './name.ts';

const NOTHING_TO_SEE: [string, string][] = [
  ['zero-width spaces', '\u200b\u200b'],
  ['joiners', '\u200d\u200c'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a half-width Hangul filler', '\uffa0'],
  ['a Braille blank', '\u2800'],
  ['a byte order mark', '\ufeff'],
  ['wide spaces', '\u3000\u2003\u00a0'],
  ['right-to-left marks', '\u200f\u061c'],
  ['a word joiner', '\u2060'],
  ['variation selectors', '\ufe0f\u{e0100}'],
  ['tags', '\u{e0041}\u{e007f}'],
  ['a Mongolian vowel separator', '\u180e'],
  ['controls', 'a\u0000'.slice(1)],
];
const SCHEMAS = { AdName, AppName, DeviceName, FileName, Remark };

describe.each(Object.entries(SCHEMAS))('%s', (_, schema) => {
  test.each(NOTHING_TO_SEE)('refuses %s alone, or takes them for nothing', (_what, text) => {
    expect(schema.safeParse(text).data ?? '').toBe('');
  });

  test('takes the names of all writing systems', () => {
    for (const name of ['Halle 7', '大厅', 'بهو', 'ห้อง', '👨\u200d👩\u200d👧', 'می\u200cخواهم', '१']) {
      expect(schema.safeParse(name).data).toBe(name);
    }
  });
});

test('the refusal has its own rule; an optional name may be empty', () => {
  expect(AdName.safeParse('\u3164').error?.issues.map(({ message }) => message)).toEqual(['name.invisible']);
  expect(DeviceName.safeParse('').success).toBe(true);
  expect(AdName.safeParse(' ').error?.issues.map(({ message }) => message)).toEqual(['name.required']);
});

test('an extension alone is not the name of a file', () => {
  expect(FileName.safeParse('\u3164.jpg').success).toBe(false);
  expect(FileName.safeParse('a\u3164.jpg').success).toBe(true);
});

test('one visible character suffices at any position', () => {
  const nothing = fc.string({ unit: fc.constantFrom('\u200b', '\u3164', ' ', '\u2800'), maxLength: 20 });
  fc.assert(
    fc.property(nothing, nothing, fc.constantFrom('a', '字', 'ß', '✓', '😀'), (before, after, seen) => {
      expect(hasVisible(before + after)).toBe(false);
      expect(hasVisible(before + seen + after)).toBe(true);
    }),
  );
});
