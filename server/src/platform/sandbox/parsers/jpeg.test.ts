import { expect, test } from 'vitest';
import { scanBomb } from '../../../../test/hostile-files/jpeg.ts';
import { inMemory } from './bytes.ts';
import { countScans } from './jpeg.ts';

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
