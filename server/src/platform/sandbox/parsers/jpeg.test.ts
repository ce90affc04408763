import { expect, test } from 'vitest';
import { scanBomb } from '../../../../test/hostile-files/jpeg.ts';
import { type Bytes, inMemory } from './bytes.ts';
import { countScans } from './jpeg.ts';
import { countFrames } from './png.ts';

const SCANS = 30;
const picture = scanBomb(160, SCANS);

/** The picture with these bytes before each scan. */
function withStray(...stray: number[]): Buffer {
  const parts: Buffer[] = [];
  let done = 0;
  for (let at = picture.indexOf('ffda', 0, 'hex'); at >= 0; at = picture.indexOf('ffda', at + 2, 'hex')) {
    parts.push(picture.subarray(done, at), Buffer.from(stray));
    done = at;
  }
  return Buffer.concat([...parts, picture.subarray(done)]);
}

test.each([
  ['as it is', []],
  ['with stray bytes between the scans', [0x20, 0x00]],
  ['with fill bytes', [0xff, 0xff]],
  ['with markers that have no content', [0xff, 0x01, 0xff, 0xd3]],
  ['with more stray bytes than are read at once', Array.from({ length: 70_000 }, () => 0x11)],
])('the scans of a progressive JPEG are counted %s', (_, stray) => {
  const bytes = inMemory(withStray(...stray));
  expect(countScans(bytes, 100)).toBe(SCANS);
  expect(countScans(bytes, 7)).toBe(7);
});

/** Bytes that are read from a disk, one call of the system for each piece. */
function counting(content: Buffer): { bytes: Bytes; reads: () => number } {
  const memory = inMemory(content);
  let reads = 0;
  const at = (start: number, length: number): Buffer => {
    reads += 1;
    return memory.at(start, length);
  };
  return { bytes: { length: memory.length, at }, reads: () => reads };
}

const MANY = 500_000;

test('a picture of more pieces than any picture has is not read piece by piece', () => {
  const jpeg = counting(
    Buffer.concat([picture.subarray(0, 2), Buffer.alloc(4 * MANY, Buffer.from('ffef0002', 'hex'))]),
  );
  expect(countScans(jpeg.bytes, 100)).toBe(100);
  const png = counting(Buffer.concat([Buffer.alloc(8), Buffer.alloc(12 * MANY, Buffer.from('\0\0\0\0teXt\0\0\0\0'))]));
  expect(countFrames(png.bytes)).toBe(Infinity);
  expect(jpeg.reads() + png.reads()).toBeLessThan(100_000);
});
