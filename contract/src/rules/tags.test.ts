import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedTags, isTag, normalizeTag, splitTags, startOfLastTag, TAG_LENGTH_MAX, Tags, TAGS_MAX } from './tags.ts';

test('tags that differ in case, width, spaces or the encoding of accents are one', () => {
  expect(normalizeTag('  Lyon   Portrait ')).toBe('lyon portrait');
  expect(normalizeTag('ＬＹＯＮ　ｐｏｒｔｒａｉｔ')).toBe('lyon portrait');
  expect(normalizeTag('Cafe\u0301')).toBe(normalizeTag('café'));
  expect(normalizeTag('İ')).toBe(normalizeTag('i\u0307'));
});

test.each([
  ['a space of no width', 'ly\u200bon'],
  ['a byte order mark', '\ufefflyon'],
  ['a soft hyphen', 'ly\u00adon'],
  ['a joiner', 'ly\u200don\u200d'],
  ['a direction', '\u202alyon\u202c\u200e'],
  ['a variation', 'lyon\ufe0f'],
  ['a control', 'ly\u0000on'],
  ['a space that does not break', '\u00a0lyon\u202f'],
])('tags that differ in %s, which nobody sees, are one', (_, text) => {
  expect(normalizeTag(text)).toBe('lyon');
});

test('an accent behind an invisible character is composed', () => {
  expect(normalizeTag('cafe\u200b\u0301')).toBe('café');
});

test('joiners stay where people see what they do', () => {
  for (const tag of ['👩‍💻', '❤️', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष']) expect(normalizeTag(tag)).toBe(tag);
});

const PARTS = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\ufe0f',
  '\ufe0e',
  '\u034f',
  '\ufeff',
  '\u0301',
  '\u00a0',
  '\u3164',
  'Σ',
  'İ',
];

test('a tag is normalised once: again changes nothing', () => {
  const parts = fc.constantFrom(...PARTS, 'a', 'ی', 'क', '्', '❤', '👩', '🏽', '1', ' ');
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(parts).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(normalizeTag(normalizeTag(text))).toBe(normalizeTag(text));
    }),
    { numRuns: 1000 },
  );
});

test('a tag has 1 to 30 characters, one of them visible', () => {
  expect([isTag(''), isTag('\u200b'), isTag('a'), isTag('😀'.repeat(TAG_LENGTH_MAX))]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(isTag('a'.repeat(TAG_LENGTH_MAX + 1))).toBe(false);
});

test('what is added and removed at once is added', () => {
  expect(changedTags(['b', 'a'], ['c', 'a'], ['b', 'c'])).toEqual(['a', 'c']);
});

test('a cell is split at commas, semicolons and lines of any width', () => {
  expect(splitTags('Lyon, portrait;Lyon\n ，shop、')).toEqual(['lyon', 'portrait', 'shop']);
  expect(isTag('lyon, portrait')).toBe(false);
});

test('the last tag begins after the last separator of any width', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'Ｂ', ' ', ',', '，', ';', '；', '\n', '،', '、')), (letters) => {
      const text = letters.join('');
      const start = startOfLastTag(text);
      expect(splitTags(text.slice(start)).length).toBeLessThanOrEqual(1);
      expect(splitTags(`${text.slice(0, start)}c`)).toEqual([...splitTags(text.slice(0, start)), 'c']);
      expect([...splitTags(text.slice(0, start)), ...splitTags(text.slice(start))]).toEqual(
        expect.arrayContaining(splitTags(text)),
      );
    }),
  );
});

test('the tags of a device are sorted, each once, at most 20', () => {
  expect(Tags.parse(['Shop', 'lyon', 'SHOP'])).toEqual(['lyon', 'shop']);
  const many = Array.from({ length: TAGS_MAX + 1 }, (_, index) => `tag ${index}`);
  expect(Tags.safeParse(many.slice(1)).success).toBe(true);
  expect(Tags.safeParse(many).success).toBe(false);
  expect(Tags.safeParse([...many.slice(1), ' TAG 5 ']).success).toBe(true);
});
