import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Corner, type Programme } from '@ams/contract';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { drawScreen } from '../src/screenshot.ts';

const ORIGIN = 'https://ads.example.com';
const SIZE = { width: 1080, height: 1920 };
/** A reader of codes needs some pixels for each module. */
const ENLARGED = 4;

const programme = (qr: Programme['qr'], showClock = false): Programme => ({
  ...{ releaseId: '01990000-0000-7000-8000-000000000001', adId: '01990000-0000-7000-8000-000000000002', name: 'Ad' },
  ...{ orientation: 'vertical', split: 'full', playMode: 'sequence', fit: 'contain', priority: 'normal' },
  ...{ showClock, replace: true, schedule: null, regions: {}, qr },
});

const draw = async (shown: Programme): Promise<Buffer> => {
  const blob = await drawScreen(SIZE, { programme: shown, items: new Map() }, ORIGIN, async () => undefined);
  return Buffer.from(await blob.arrayBuffer());
};

/** What a reader of codes sees on a picture. */
async function readCode(picture: Buffer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-code-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'screen.png');
  const { width } = await sharp(picture).metadata();
  await writeFile(
    file,
    await sharp(picture)
      .resize({ width: width * ENLARGED, kernel: 'nearest' })
      .png()
      .toBuffer(),
  );
  return execFileSync('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', file], {
    encoding: 'utf8',
  }).trim();
}

/** The corners of a picture that are light. */
async function lightCorners(picture: Buffer): Promise<string[]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const inset = Math.round(info.width * 0.04);
  const at = (x: number, y: number): number => data[(y * info.width + x) * info.channels] ?? 0;
  const [right, bottom] = [info.width - inset, info.height - inset];
  const places = {
    ...{ topLeft: at(inset, inset), topRight: at(right, inset) },
    ...{ bottomLeft: at(inset, bottom), bottomRight: at(right, bottom) },
  };
  return Object.entries(places).flatMap(([corner, light]) => (light > 200 ? [corner] : []));
}

test.for(Corner.options)('the code of an ad is drawn in the corner %s and can be read', async (corner) => {
  const picture = await draw(programme({ address: '/q/3fK9xQ2', corner, size: 'large' }));
  expect(await lightCorners(picture)).toEqual([corner]);
  expect(await readCode(picture)).toBe(`${ORIGIN}/q/3fK9xQ2`);
});

test('a code at the top leaves room for the clock, and an ad without one shows none', async () => {
  expect(
    await lightCorners(await draw(programme({ address: '/q/1', corner: 'topRight', size: 'small' }, true))),
  ).toEqual([]);
  expect(await lightCorners(await draw(programme(undefined)))).toEqual([]);
});
