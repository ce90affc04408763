import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExaminedPicture, PIECES_MAX } from '../platform/sandbox/answers.ts';
import { cleanCopy, cleanPicture } from '../platform/sandbox/parsers/cleaning/clean-picture.ts';
import { sha256Of } from '../platform/sandbox/unparsable.ts';
import { writePieces } from './pieces.ts';

const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;
const samples = new Map<string, Buffer>();
let folder: string;
let source: string;
let target: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-pieces-'));
  source = path.join(folder, 'source');
  target = path.join(folder, 'target');
  const scene = sharp({ create: { width: 48, height: 32, channels: 3, background: 'teal' } })
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'Jane Owner' } });
  for (const format of FORMATS) samples.set(format, await scene.clone().toFormat(format).toBuffer());
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the pieces of a clean copy make up the clean picture, whatever its bytes are', async () => {
  const change = fc.tuple(fc.nat(3000), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FORMATS),
      fc.array(change, { maxLength: 20 }),
      fc.nat(20_000),
      fc.uint8Array({ maxLength: 20 }),
      async (format, changes, length, behind) => {
        const sample = samples.get(format) ?? Buffer.alloc(0);
        const bytes = Buffer.concat([sample.subarray(0, Math.max(20, length)), behind]);
        for (const [at, value] of changes) bytes[12 + (at % (bytes.length - 12))] = value;
        await writeFile(source, bytes);
        const mime = `image/${format}`;
        const clean = cleanPicture(mime, bytes);
        const pieces = cleanCopy(source, mime);
        const written = await writePieces(source, pieces ?? [{ from: 0, to: bytes.length }], target);
        expect(await readFile(target)).toEqual(clean);
        expect(written).toEqual({ sha256: sha256Of(clean), bytes: clean.length });
      },
    ),
    { numRuns: 300 },
  );
});

test('a large picture is named by its places, and one of very many parts is one piece', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'teal', noise } })
    .jpeg({ quality: 90 })
    .toBuffer();
  await writeFile(source, Buffer.concat([photo, Buffer.from('behind its end')]));
  const pieces = cleanCopy(source, 'image/jpeg') ?? [];
  const carried = pieces.reduce((sum, piece) => sum + ('from' in piece ? 0 : piece.length), 0);
  expect(carried).toBeLessThan(2000);
  expect(await writePieces(source, pieces, target)).toEqual({ sha256: sha256Of(photo), bytes: photo.length });

  const kept = Buffer.from([0xff, 0xc4, 0, 3, 1]);
  const comment = Buffer.from([0xff, 0xfe, 0, 3, 1]);
  const many = Array.from({ length: 3000 }, () => Buffer.concat([kept, comment]));
  await writeFile(source, Buffer.concat([photo.subarray(0, 2), ...many, photo.subarray(2)]));
  expect(cleanCopy(source, 'image/jpeg')).toHaveLength(1);
});

test('a piece that the file does not have is refused, and so is one twice', async () => {
  await writeFile(source, 'ten bytes.');
  expect(await writePieces(source, [{ from: 0, to: 3 }, Buffer.from('!'), { from: 4, to: 10 }], target)).toMatchObject({
    bytes: 10,
  });
  expect(await readFile(target, 'utf8')).toBe('ten!bytes.');
  await expect(writePieces(source, [{ from: 4, to: 11 }], target)).rejects.toThrow('10 bytes');
  const again = [
    { from: 4, to: 10 },
    { from: 0, to: 3 },
  ];
  await expect(writePieces(source, again, target)).rejects.toThrow('order');
});

test('an answer with more pieces than a copy may have is refused', () => {
  const answer = (pieces: number) => ({
    ...{ kind: 'picture', mime: 'image/png', width: 1, height: 1, poster: new Uint8Array(1) },
    clean: Array.from({ length: pieces }, (_, n) => ({ from: n, to: n + 1 })),
  });
  expect(ExaminedPicture.safeParse(answer(PIECES_MAX)).success).toBe(true);
  expect(ExaminedPicture.safeParse(answer(PIECES_MAX + 1)).success).toBe(false);
});
