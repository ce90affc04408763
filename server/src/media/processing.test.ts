import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type MediaFile, IMAGE_PIXELS_MAX } from '@ams/contract';
import { addFile, makeMedia, makeMp4, testPattern, turnedRight, type UploadWishes } from '../../test/media.ts';
import { type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { planVideo } from './playable.ts';
import { videoFacts } from '../platform/sandbox/parsers/video.ts';
import { sha256Of } from '../platform/sandbox/unparsable.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const PICTURE = { name: 'picture.jpg', orientation: 'vertical', kind: 1 };

let server: TestServer;
let member: Session;

beforeAll(async () => {
  server = await startTestServer();
  member = await server.createUser('member');
});

const add = (bytes: Buffer, wishes: UploadWishes = VIDEO): Promise<MediaFile> => addFile(server, member, bytes, wishes);

async function download(url: string | null): Promise<Buffer> {
  const reply = await fetch(`${server.url}${url}`);
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

async function probe(bytes: Buffer) {
  const file = path.join(tmpdir(), `ams-probe-${crypto.randomUUID()}`);
  await writeFile(file, bytes);
  return videoFacts({ file, pixelsMax: IMAGE_PIXELS_MAX });
}

const codec = (...args: string[]): string[] => [...testPattern('180x320', 1), ...args];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=1'];

test('a conversion that the deaths of three servers interrupted is begun again, and given up after ten', async () => {
  const { db } = server.deps;
  const interrupt = async (video: Buffer, deaths: number): Promise<void> => {
    const died = { sha256: sha256Of(video), task: 'convert', process_id: randomUUID() };
    const numbers = Array.from({ length: deaths }, (_, index) => index + 1);
    await db
      .insertInto('parse_attempts')
      .values(numbers.map((number) => ({ ...died, id: randomUUID(), number })))
      .execute();
  };
  const mov = { ...VIDEO, name: 'a.mov' };
  const [film, harmful] = [
    await makeMedia('a.mov', ...codec('-c:v', 'mpeg4')),
    await makeMedia('b.mov', ...codec('-c:v', 'mjpeg')),
  ];
  await interrupt(film, 3);
  await interrupt(harmful, 10);
  expect(await add(film, mov)).toMatchObject({ state: 'ready' });
  expect(await add(harmful, mov)).toMatchObject({ state: 'failed', failure: 'unreadable' });
});

describe('a picture', () => {
  test('has the size at which it is shown, rotated by its EXIF orientation', async () => {
    const jpeg = await sharp({ create: { width: 320, height: 180, channels: 3, background: 'green' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const file = await add(jpeg, PICTURE);
    expect(file).toMatchObject({ state: 'ready', width: 180, height: 320, mime: 'image/jpeg', warning: null });
    const served = await download(file.url);
    expect((await sharp(served).metadata()).orientation).toBe(6);
    expect(await sharp(served).raw().toBuffer()).toEqual(await sharp(jpeg).raw().toBuffer());
    expect(await sharp(await download(file.poster)).metadata()).toMatchObject({
      format: 'webp',
      width: 180,
      height: 320,
    });
  });

  test('gets a poster of 480 pixels', async () => {
    const png = await sharp({ create: { width: 1920, height: 1080, channels: 4, background: 'blue' } })
      .png()
      .toBuffer();
    const file = await add(png, { ...PICTURE, name: 'wide.png' });
    expect(file).toMatchObject({ state: 'ready', mime: 'image/png', warning: 'shape' });
    expect(await sharp(await download(file.poster)).metadata()).toMatchObject({ width: 480, height: 270 });
  });

  test.each(['webp', 'gif'] as const)('may be a %s regardless of its name', async (format) => {
    const bytes = await sharp({ create: { width: 90, height: 160, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer();
    expect(await add(bytes, { ...PICTURE, name: 'picture.png' })).toMatchObject({
      state: 'ready',
      mime: `image/${format}`,
    });
  });

  test('that is truncated is unreadable', async () => {
    const noise = {
      create: {
        width: 400,
        height: 400,
        channels: 3 as const,
        background: 'red',
        noise: { type: 'gaussian' as const },
      },
    };
    const jpeg = await sharp(noise).jpeg().toBuffer();
    const file = await add(jpeg.subarray(0, jpeg.length / 2), PICTURE);
    expect(file).toMatchObject({ state: 'failed', failure: 'unreadable', url: null, poster: null });
  });
});

describe('a video that browsers play', () => {
  test('is stored unchanged and gets a poster', async () => {
    const bytes = await makeMp4();
    const file = await add(bytes);
    expect(file).toMatchObject({ state: 'ready', mime: 'video/mp4', width: 180, height: 320, durationMs: 1000 });
    expect(await download(file.url)).toEqual(bytes);
    expect(await sharp(await download(file.poster)).metadata()).toMatchObject({
      format: 'webp',
      width: 180,
      height: 320,
    });
  });

  test('may be WebM', async () => {
    const bytes = await makeMedia(
      'a.webm',
      ...codec('-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p', '-deadline', 'realtime'),
    );
    expect(await add(bytes, { ...VIDEO, name: 'a.webm' })).toMatchObject({
      state: 'ready',
      mime: 'video/webm',
      bytes: bytes.length,
    });
  });

  test('has the size at which it is shown', async () => {
    const turned = turnedRight(await makeMp4());
    const file = await add(turned);
    expect(file).toMatchObject({ state: 'ready', width: 320, height: 180, warning: 'shape' });
    expect(await sharp(await download(file.poster)).metadata()).toMatchObject({ width: 320, height: 180 });
  });
});

describe('a video that browsers do not play', () => {
  const converted = async (file: MediaFile, original: Buffer) => {
    expect(file).toMatchObject({ state: 'ready', mime: 'video/mp4', failure: null });
    const bytes = await download(file.url);
    expect(bytes.length).toBe(file.bytes);
    expect(bytes).not.toEqual(original);
    const facts = await probe(bytes);
    if (facts.kind !== 'video') throw new Error(facts.failure);
    expect(planVideo({ ...facts, interlaced: false }).kind).toBe('play');
    // The index precedes the pictures.
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    return facts;
  };

  test('HEVC in Matroska becomes H.264 with AAC', async () => {
    const original = await makeMedia(
      'a.mkv',
      ...[
        ...testPattern('180x320', 1),
        ...SOUND,
        '-c:v',
        'libx265',
        '-x265-params',
        'log-level=error',
        '-c:a',
        'libopus',
      ],
    );
    const file = await add(original, { ...VIDEO, name: 'a.mkv' });
    expect(await converted(file, original)).toMatchObject({
      codec: 'avc',
      audio: { codec: 'aac' },
      width: 180,
      height: 320,
    });
    expect(file.poster).not.toBeNull();
  });

  test('ProRes becomes H.264', async () => {
    const original = await makeMedia('a.mov', ...codec('-c:v', 'prores_ks'));
    expect(await converted(await add(original, { ...VIDEO, name: 'a.mov' }), original)).toMatchObject({ codec: 'avc' });
  });

  test('the sound that players choose is kept if another one precedes it', async () => {
    const sounds = ['-f', 'lavfi', '-i', 'anullsrc=duration=1', ...SOUND, '-map', '0', '-map', '1', '-map', '2'];
    const chosen = ['-c:a:0', 'pcm_s16le', '-c:a:1', 'aac', '-disposition:a:0', '0', '-disposition:a:1', 'default'];
    for (const coding of [
      ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
      ['-c:v', 'prores_ks'],
    ]) {
      const original = await makeMedia('a.mov', ...codec(...sounds, ...coding, ...chosen));
      const file = await add(original, { ...VIDEO, name: 'a.mov' });
      const facts = await converted(file, original);
      expect(facts.audio).toEqual({ codec: 'aac' });
      const made = path.join(tmpdir(), `ams-heard-${crypto.randomUUID()}`);
      await writeFile(made, await download(file.url));
      const heard = await makeMedia('a.raw', '-i', made, '-vn', '-c:a', 'pcm_s16le', '-f', 's16le');
      expect(heard.some((byte) => byte !== 0)).toBe(true);
    }
  });

  test('10-bit H.264 becomes 8-bit', async () => {
    const original = await makeMedia('a.mp4', ...codec('-c:v', 'libx264', '-pix_fmt', 'yuv420p10le'));
    const facts = await converted(await add(original), original);
    expect(facts.codecString).toMatch(/^avc1\.64/);
  });

  test('H.264 in Matroska is only remuxed', async () => {
    const original = await makeMedia('a.mkv', ...codec('-c:v', 'libx264', '-pix_fmt', 'yuv420p'));
    expect(await converted(await add(original, { ...VIDEO, name: 'a.mkv' }), original)).toMatchObject({ width: 180 });
  });

  test.each([
    ['mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']],
    ['mkv', ['-c:v', 'libx265', '-x265-params', 'log-level=error']],
    ['webm', ['-c:v', 'libvpx']],
  ])('a part of a recording, an %s that begins after an hour, begins at once', async (ending, encoding) => {
    const original = await makeMedia(`a.${ending}`, ...codec(...encoding, '-output_ts_offset', '3600'));
    const file = await add(original, { ...VIDEO, name: `a.${ending}` });
    expect(file).toMatchObject({ state: 'ready', durationMs: 1000 });
    expect(await converted(file, original)).toMatchObject({ late: false, durationMs: 1000 });
  });

  test('the sound of MPEG layer II, which has the name of MP3 in MP4, becomes AAC', async () => {
    const picture = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    const original = await makeMedia('a.mp4', ...testPattern('180x320', 1), ...SOUND, ...picture, '-c:a', 'mp2');
    expect(await converted(await add(original), original)).toMatchObject({ audio: { codec: 'aac' } });
    const played = await makeMedia('a.mp4', ...testPattern('180x320', 1), ...SOUND, ...picture, '-c:a', 'libmp3lame');
    expect(await download((await add(played)).url)).toEqual(played);
  });

  test('keeps its light if only its colours are wide, as those of recorded screens are', async () => {
    const grey = ['-f', 'lavfi', '-i', 'color=c=gray:size=180x320:rate=5:duration=1'];
    const wide = ['smpte432', 'bt2020'].map((gamut) => [
      ...['-vf', `format=yuv420p,setparams=color_primaries=${gamut}:color_trc=bt709:colorspace=bt709:range=tv`],
      ...['-color_primaries', gamut, '-color_trc', 'bt709', '-colorspace', 'bt709', '-movflags', '+write_colr'],
    ]);
    for (const gamut of wide) {
      const played = await makeMedia('a.mp4', ...grey, ...gamut, '-c:v', 'libx264');
      expect(await download((await add(played)).url)).toEqual(played);
      const original = await makeMedia('a.mov', ...grey, ...gamut, '-c:v', 'mpeg4');
      const file = await add(original, { ...VIDEO, name: 'a.mov' });
      await converted(file, original);
      const { channels } = await sharp(await download(file.poster)).stats();
      expect(Math.abs((channels[1]?.mean ?? 0) - 128)).toBeLessThan(4);
    }
  });

  test('a codec that only ffmpeg decodes is converted', async () => {
    const original = await makeMedia('a.mov', ...codec('-c:v', 'mpeg4'));
    expect(await converted(await add(original, { ...VIDEO, name: 'a.mov' }), original)).toMatchObject({ codec: 'avc' });
  });
});

describe('a video that cannot be used', () => {
  test('because it has only sound', async () => {
    const bytes = await makeMedia('a.mp4', ...SOUND, '-c:a', 'aac');
    expect(await add(bytes)).toMatchObject({ state: 'failed', failure: 'noVideo' });
  });

  test('because it is truncated, with its index before or behind the frames', async () => {
    const behind = await makeMp4(3);
    const source = path.join(tmpdir(), `ams-whole-${crypto.randomUUID()}.mp4`);
    await writeFile(source, behind);
    const before = await makeMedia('a.mp4', '-i', source, '-c', 'copy', '-movflags', '+faststart');
    for (const bytes of [before, behind]) {
      const file = await add(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
      expect(file).toMatchObject({ state: 'failed', failure: 'unreadable' });
    }
  });

  test('because only its beginning is there', async () => {
    const bytes = Buffer.concat([(await makeMp4()).subarray(0, 40), Buffer.alloc(5000, 7)]);
    expect(await add(bytes)).toMatchObject({ state: 'failed', failure: 'unreadable' });
  });

  test('because it contains a playlist of other files', async () => {
    const disguised = Buffer.from(`\0\0\0\x18ftypmp42#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n`);
    expect(await add(disguised)).toMatchObject({ state: 'failed', failure: 'unreadable' });
  });
});

test('processing leaves nothing behind', async () => {
  await expect.poll(() => readdir(path.join(server.config.data, 'processing'))).toEqual([]);
  expect(await readdir(path.join(server.config.data, 'uploads'))).toEqual([]);
});

describe('without ffmpeg', () => {
  let plain: TestServer;
  let somebody: Session;
  beforeAll(async () => {
    plain = await startTestServer({ AMS_FFMPEG: '/nonexistent/ffmpeg' });
    somebody = await plain.createUser('member');
  });

  test('a video that browsers play is ready without a poster', async () => {
    const file = await addFile(plain, somebody, await makeMp4(), VIDEO);
    expect(file).toMatchObject({ state: 'ready', poster: null, width: 180 });
  });

  test('a video that browsers do not play fails with its reason', async () => {
    const bytes = await makeMedia('a.mkv', ...codec('-c:v', 'libx264', '-pix_fmt', 'yuv420p'));
    const file = await addFile(plain, somebody, bytes, { ...VIDEO, name: 'a.mkv' });
    expect(file).toMatchObject({ state: 'failed', failure: 'needsConversion' });
  });
});
