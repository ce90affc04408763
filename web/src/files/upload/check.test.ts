import { FileName, IMAGE_FORMATS, UPLOAD_LIMITS, VIDEO_FORMATS, extensionOf } from '@ams/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFile, suggestName } from './check.ts';

const limits = { ...UPLOAD_LIMITS, imageFormats: [...IMAGE_FORMATS], videoFormats: [...VIDEO_FORMATS] };
const check = (name: string, size = 1000, room = 9) => checkFile({ name, size }, 'video', limits, room);

describe('a file is checked before it is sent', () => {
  test.each([
    ['clip.mp4', 1000, 9, undefined],
    ['CLIP.MP4', 1000, 9, undefined],
    ['clip.avi', 1000, 9, { kind: 'format', formats: VIDEO_FORMATS }],
    ['clip', 1000, 9, { kind: 'format', formats: VIDEO_FORMATS }],
    ['clip.mp4', 0, 9, { kind: 'empty' }],
    ['clip.mp4', UPLOAD_LIMITS.maxVideoBytes + 1, 9, { kind: 'size', limit: UPLOAD_LIMITS.maxVideoBytes }],
    ['50% off.mp4', 1000, 9, { kind: 'name', rule: 'file.nameSymbols' }],
    [`${'n'.repeat(120)}.mp4`, 1000, 9, { kind: 'name', rule: 'file.nameLength' }],
    ['clip.mp4', 1000, 0, { kind: 'count', max: 9 }],
    // Errors that cannot be corrected are reported first.
    ['50% off.avi', 1000, 0, { kind: 'format', formats: VIDEO_FORMATS }],
  ])('%s of %i bytes, room for %i', (name, size, room, expected) => {
    expect(check(name, size, room)).toEqual(expected);
  });

  test('pictures have their own formats and limit', () => {
    expect(checkFile({ name: 'a.png', size: limits.maxImageBytes }, 'image', limits, 1)).toBeUndefined();
    expect(checkFile({ name: 'a.mp4', size: 1 }, 'image', limits, 1)?.kind).toBe('format');
  });
});

describe('the suggested name', () => {
  test('is always allowed and keeps the extension', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom('mp4', 'MOV', 'jpeg'),
        (stem, end) => {
          const name = suggestName(`${stem}.${end}`);
          expect(FileName.safeParse(name).success).toBe(true);
          expect(extensionOf(name)).toBe(end.toLowerCase());
        },
      ),
    );
  });

  test('leaves a good name as it is', () => {
    expect(suggestName('Summer 2026 夏.mp4')).toBe('Summer 2026 夏.mp4');
  });

  test('replaces what is not allowed', () => expect(suggestName('50%: "off"#.mp4')).toBe('50_ _off_.mp4'));
});
