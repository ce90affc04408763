import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { MediaFile } from '@ams/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addFile, makeMedia, makeMp4, turnedRight } from '../../test/media.ts';
import { type Session, startTestServer, type TestServer } from '../../test/server.ts';

const OWNER = 'Jane Roe of Berlin';
const PLACE = '+52.5163+013.3777/';
const SECRETS = [OWNER, PLACE, 'Camera Works', 'Chapter at home', '<x:xmpmeta'];
const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const PICTURE = { name: 'picture.jpg', orientation: 'vertical', kind: 1 };
const run = promisify(execFile);

let server: TestServer;
let member: Session;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-clean-'));
  server = await startTestServer();
  member = await server.createUser('member');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The part of a file that devices receive. */
async function served({ url, sha256, bytes }: MediaFile): Promise<Buffer> {
  const reply = await fetch(`${server.url}${url}`);
  expect(reply.headers.get('etag')).toBe(`"${sha256}"`);
  const body = Buffer.from(await reply.arrayBuffer());
  expect(body.length).toBe(bytes);
  return body;
}

const Probed = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string(),
      tags: z.record(z.string(), z.string()).default({}),
      side_data_list: z.array(z.looseObject({ rotation: z.number().optional() })).default([]),
    }),
  ),
  chapters: z.array(z.unknown()),
  format: z.object({ tags: z.record(z.string(), z.string()).default({}) }),
});

async function ffprobe(bytes: Buffer) {
  const file = path.join(folder, crypto.randomUUID());
  await writeFile(file, bytes);
  const show = ['-show_format', '-show_streams', '-show_chapters', '-export_xmp', '1', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...show, file]);
  return Probed.parse(JSON.parse(stdout));
}

/** The MD5 of every coded stream, by which a copy is known to be lossless. */
async function codedStreams(bytes: Buffer): Promise<string> {
  const file = path.join(folder, crypto.randomUUID());
  await writeFile(file, bytes);
  const maps = ['-map', '0:V:0', '-map', '0:a:0?', '-c', 'copy', '-f', 'streamhash', '-hash', 'md5', '-'];
  return (await run('ffmpeg', ['-v', 'error', '-i', file, ...maps])).stdout;
}

/** Tags of the container format. */
const PLAIN =
  /^(major_brand|minor_version|compatible_brands|language|handler_name|vendor_id|DURATION|ENCODER|encoder)$/;

async function expectPlain(bytes: Buffer): Promise<void> {
  for (const secret of SECRETS) expect(bytes.includes(secret)).toBe(false);
  const { streams, chapters, format } = await ffprobe(bytes);
  expect(chapters).toEqual([]);
  for (const { codec_type, tags } of streams) {
    expect(['video', 'audio']).toContain(codec_type);
    expect(Object.keys(tags).filter((tag) => !PLAIN.test(tag))).toEqual([]);
    expect(tags['handler_name'] ?? 'VideoHandler').toMatch(/^(Video|Sound)Handler$/);
  }
  expect(Object.keys(format.tags).filter((tag) => !PLAIN.test(tag))).toEqual([]);
}

/** A film as a phone makes it: place, camera, owner, chapters and captions. */
async function personal(name: string, source: Buffer, ...options: string[]): Promise<Buffer> {
  const [film, chapters, captions] = ['film', 'chapters', 'captions.srt'].map((one) => path.join(folder, one));
  await writeFile(film ?? '', source);
  const chapter = `[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=Chapter at home`;
  await writeFile(chapters ?? '', `;FFMETADATA1\nartist=${OWNER}\n${chapter}\n`);
  await writeFile(captions ?? '', `1\n00:00:00,000 --> 00:00:01,000\n${OWNER}\n`);
  const tags = { location: PLACE, make: 'Camera Works', model: 'One', comment: OWNER, title: OWNER };
  return makeMedia(
    name,
    ...['-i', film ?? '', '-f', 'ffmetadata', '-i', chapters ?? '', '-i', captions ?? ''],
    ...['-map', '0', '-map', '2', '-map_metadata', '1', '-map_chapters', '1', '-c', 'copy'],
    ...Object.entries(tags).flatMap(([tag, value]) => ['-metadata', `${tag}=${value}`]),
    ...['-metadata:s:v', `handler_name=Camera Works`, ...options],
  );
}

function box(type: string, content: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + Buffer.byteLength(content));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, Buffer.from(content)]);
}

describe('a video is served without place, camera and owner', () => {
  test.each([
    ['MP4', 'a.mp4', ['-c:s', 'mov_text']],
    ['MP4 with keys of QuickTime', 'a.mp4', ['-c:s', 'mov_text', '-movflags', 'use_metadata_tags']],
    ['MOV', 'a.mov', ['-c:s', 'mov_text']],
  ])('in %s', async (_, name, options) => {
    const original = await personal(name, await makeMp4(), ...options);
    expect(original.includes(OWNER)).toBe(true);
    const file = await addFile(server, member, original, { ...VIDEO, name });
    expect(file).toMatchObject({ state: 'ready', mime: 'video/mp4', width: 180, height: 320 });
    const copy = await served(file);
    await expectPlain(copy);
    expect(await codedStreams(copy)).toBe(await codedStreams(original));
    // The copy itself is left as it is.
    const again = await addFile(server, member, copy, VIDEO);
    expect(again.sha256).toBe(file.sha256);
  });

  test('in WebM', async () => {
    const codecs = ['-c:v', 'libvpx', '-c:a', 'libopus', '-deadline', 'realtime'];
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=1'];
    const picture = ['-f', 'lavfi', '-i', 'testsrc=size=180x320:rate=10:duration=1'];
    const film = await makeMedia('a.webm', ...picture, ...sound, ...codecs);
    const original = await personal('a.webm', film, '-c:s', 'webvtt', '-metadata:s:v', `title=${OWNER}`);
    expect(original.includes(OWNER)).toBe(true);
    const file = await addFile(server, member, original, { ...VIDEO, name: 'a.webm' });
    expect(file).toMatchObject({ state: 'ready', mime: 'video/webm' });
    const copy = await served(file);
    await expectPlain(copy);
    expect(await codedStreams(copy)).toBe(await codedStreams(original));
    expect((await addFile(server, member, copy, { ...VIDEO, name: 'b.webm' })).sha256).toBe(file.sha256);
  });

  test('in Matroska with an attachment, which is remuxed', async () => {
    const attached = path.join(folder, 'attached.txt');
    await writeFile(attached, OWNER);
    const options = ['-c:s', 'srt', '-attach', attached, '-metadata:s:t', 'mimetype=text/plain'];
    const file = await addFile(server, member, await personal('a.mkv', await makeMp4(), ...options), {
      ...{ ...VIDEO, name: 'a.mkv' },
    });
    expect(file).toMatchObject({ state: 'ready', mime: 'video/mp4' });
    await expectPlain(await served(file));
  });

  test('in XMP and in boxes of its manufacturer', async () => {
    const mp4 = await makeMp4();
    const id = 'be7acfcb97a942e89c71999491e3afac';
    const xmp = box('uuid', `${Buffer.from(id, 'hex').toString('latin1')}<x:xmpmeta>${OWNER}</x:xmpmeta>`);
    for (const extra of [xmp, box('GPSX', PLACE)]) {
      const file = await addFile(server, member, Buffer.concat([mp4, extra]), VIDEO);
      expect(file).toMatchObject({ state: 'ready' });
      await expectPlain(await served(file));
    }
  });

  test('and keeps its rotation', async () => {
    const original = turnedRight(await personal('a.mp4', await makeMp4(3), '-c:s', 'mov_text'));
    const file = await addFile(server, member, original, VIDEO);
    expect(file).toMatchObject({ state: 'ready', width: 320, height: 180 });
    const copy = await served(file);
    await expectPlain(copy);
    const turn = async (bytes: Buffer) => (await ffprobe(bytes)).streams[0]?.side_data_list[0]?.rotation;
    expect(await turn(copy)).toBe(await turn(original));
    expect(Math.abs((await turn(copy)) ?? 0)).toBe(90);
  });
});

describe('a picture is served without place, camera and owner', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('in %s, turned as it was seen', async (format) => {
    const exif = {
      IFD0: { Artist: OWNER, Make: 'Camera Works' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 58/1' },
    };
    const original = await sharp({ create: { width: 320, height: 180, channels: 3, background: 'teal' } })
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .withExifMerge(exif)
      .toFormat(format)
      .toBuffer();
    expect(original.includes(OWNER)).toBe(true);
    const file = await addFile(server, member, original, { ...PICTURE, name: `picture.${format}` });
    expect(file).toMatchObject({ state: 'ready', width: 180, height: 320 });
    const copy = await served(file);
    for (const secret of SECRETS) expect(copy.includes(secret)).toBe(false);
    const { orientation, width, height, icc } = await sharp(copy).metadata();
    expect(icc).toEqual((await sharp(original).metadata()).icc);
    // Chromium turns no WebP.
    if (format === 'webp') expect([orientation ?? 1, width, height]).toEqual([1, 180, 320]);
    else {
      expect(orientation).toBe(6);
      expect(await sharp(copy).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
    }
    // The original has no address.
    expect((await fetch(`${server.url}${server.deps.signer.sign(`/media/${file.sha256}`)}`)).status).toBe(200);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(original))).toString('hex');
    expect((await fetch(`${server.url}${server.deps.signer.sign(`/media/${digest}`)}`)).status).toBe(404);
  });
});

test('without ffmpeg a video with personal metadata is not served', async () => {
  const plain = await startTestServer({ AMS_FFMPEG: '/nonexistent/ffmpeg' });
  const somebody = await plain.createUser('member');
  const original = await personal('a.mp4', await makeMp4(), '-c:s', 'mov_text');
  const file = await addFile(plain, somebody, original, VIDEO);
  expect(file).toMatchObject({ state: 'failed', failure: 'needsConversion', url: null });
});
