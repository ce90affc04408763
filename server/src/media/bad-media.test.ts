import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { MediaFile } from '@ams/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addFile, makeMedia, testPattern, upload, type UploadWishes } from '../../test/media.ts';
import { type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { FfmpegError, FfmpegKilled, readFrom, runFfmpeg } from './ffmpeg.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const PICTURE = { name: 'picture.png', orientation: 'vertical', kind: 1 };

let server: TestServer;
let member: Session;

beforeAll(async () => {
  server = await startTestServer();
  member = await server.createUser('member');
});

const add = (bytes: Buffer, wishes: UploadWishes): Promise<MediaFile> => addFile(server, member, bytes, wishes);

/** The server's reason for refusing an upload. */
async function refusal(bytes: Buffer, wishes: UploadWishes) {
  const answer = await upload(server, member, bytes, wishes);
  if (answer.kind === 'done') throw new Error('was accepted');
  return answer.body;
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } });

/** A PNG whose header declares this many pixels (PNG, third edition, §5.6). */
function pngOf(width: number, height: number, rows: Buffer): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

describe('under the name of a picture', () => {
  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['SVG with a preamble', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a list of films', 'ffconcat version 1.0\nfile /etc/passwd\n'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ])('%s is refused by its first bytes', async (_, text) => {
    const body = await refusal(Buffer.from(text.padEnd(200)), PICTURE);
    expect(body).toMatchObject({ code: 415, message: 'Please upload files in jpg, jpeg, png, webp, gif format' });
  });

  test('a picture that is also a page or a script is served only as a picture', async () => {
    const png = Buffer.concat([await picture(90, 160).png().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    const gif = await picture(90, 160).gif().toBuffer();
    gif.write('/*', 6, 'latin1');
    const script = Buffer.concat([gif, Buffer.from('*/=1;alert(1)')]);
    for (const [bytes, name, mime] of [
      [png, 'page.png', 'image/png'],
      [script, 'script.gif', 'image/gif'],
    ] as const) {
      const file = await add(bytes, { ...PICTURE, name });
      const { headers } = await fetch(server.url + file.url);
      expect(headers.get('content-type')).toBe(mime);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('a bomb of 2.5 gigapixels in some kilobytes is refused', async () => {
    const body = await refusal(pngOf(50_000, 50_000, Buffer.alloc(2 ** 20)), PICTURE);
    expect(body).toMatchObject({ code: 422, error: 'TOO_MANY_PIXELS' });
  });

  test('a header that announces missing data is unreadable', async () => {
    const file = await add(pngOf(6000, 6000, Buffer.alloc(1000)), PICTURE);
    expect(file).toMatchObject({ state: 'failed', failure: 'unreadable' });
  });

  test('a line of 30,000 pixels is too long', async () => {
    for (const [width, height] of [
      [1, 30_000],
      [30_000, 1],
    ] as const) {
      const file = await add(await picture(width, height).jpeg().toBuffer(), { ...PICTURE, name: 'line.jpg' });
      expect(file).toMatchObject({ state: 'failed', failure: 'tooLong' });
    }
  });
});

describe('an animation stays animated', () => {
  test.each(['gif', 'webp'] as const)('in a %s', async (format) => {
    const frames = await makeMedia(`a.${format}`, ...testPattern('90x160', 1), '-loop', '0');
    const file = await add(frames, { ...PICTURE, name: `a.${format}` });
    expect(file).toMatchObject({ state: 'ready', width: 90, height: 160, mime: `image/${format}` });
    const shown = Buffer.from(await (await fetch(server.url + file.url)).arrayBuffer());
    expect((await sharp(shown, { animated: true }).metadata()).pages).toBe(10);
  });
});

describe('under the name of a video', () => {
  test('sound is refused, or has no picture', async () => {
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=1'];
    expect(await refusal(await makeMedia('a.mp3', ...sound), VIDEO)).toMatchObject({ code: 415 });
    expect(await refusal(await makeMedia('a.m4a', ...sound, '-c:a', 'aac'), VIDEO)).toMatchObject({ code: 415 });
    const inMatroska = await makeMedia('a.mka', ...sound, '-c:a', 'aac');
    expect(await add(inMatroska, { ...VIDEO, name: 'a.mkv' })).toMatchObject({ failure: 'noVideo' });
  });

  test('a video of more pixels than any screen is refused', async () => {
    const large = await makeMedia(
      'a.mov',
      ...['-f', 'lavfi', '-i', 'color=size=8192x5120', '-frames:v', '1', '-c:v', 'mjpeg'],
    );
    expect(await add(large, VIDEO)).toMatchObject({ state: 'failed', failure: 'tooManyPixels' });
  });

  test('a video without its index is unreadable', async () => {
    const film = await makeMedia('a.mp4', ...testPattern('180x320', 1), '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
    const file = await add(film.subarray(0, film.indexOf('moov') - 4), VIDEO);
    expect(file).toMatchObject({ state: 'failed', failure: 'unreadable' });
  });
});

describe('ffmpeg', () => {
  const signal = new AbortController().signal;
  const endless = ['-f', 'lavfi', '-i', 'color', '-f', 'null', '-'];
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ams-bad-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is killed when it takes too long', async () => {
    const late = runFfmpeg('ffmpeg', endless, { timeoutMs: 300, signal });
    await expect(late).rejects.toMatchObject({ name: 'FfmpegError', reason: 'timeout' });
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('that gets %s from outside was killed', async (name) => {
    const pidFile = path.join(folder, name);
    const program = path.join(folder, `ffmpeg ${name}`);
    await writeFile(
      program,
      `#!/bin/sh\necho $$ >'${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'\nexec ffmpeg "$@"\n`,
    );
    await chmod(program, 0o755);
    const output = path.join(folder, `${name}.nut`);
    const args = ['-f', 'lavfi', '-i', 'color', '-flush_packets', '1', '-f', 'nut', '-y', output];
    const error = runFfmpeg(program, args, { timeoutMs: 60_000, signal }).catch((reason: unknown) => reason);
    // It has its handlers for signals once it writes.
    await vi.waitFor(async () => expect((await stat(output)).size).toBeGreaterThan(0), { timeout: 20_000 });
    process.kill(Number(await readFile(pidFile, 'utf8')), name);
    expect(await error).toBeInstanceOf(FfmpegKilled);
  });

  test('ends with the server', async () => {
    const stopping = new AbortController();
    const run = runFfmpeg('ffmpeg', endless, { timeoutMs: 60_000, signal: stopping.signal });
    stopping.abort(new Error('stopping'));
    await expect(run).rejects.toThrow('stopping');
  });

  test('gets no more memory than its limit', async () => {
    const greedy = ['-f', 'lavfi', '-i', 'color=size=16384x16384:duration=1', '-c:v', 'libx264', '-f', 'null', '-'];
    await expect(runFfmpeg('ffmpeg', greedy, { timeoutMs: 60_000, signal })).rejects.toThrow(FfmpegError);
  });

  test('reads nothing from the network and no other file', async () => {
    const asked: string[] = [];
    const web = createServer((request, reply) => {
      asked.push(request.url ?? '');
      reply.end();
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port } = web.address() as AddressInfo;
    const list = path.join(folder, 'list.mkv');
    await writeFile(list, `#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:${port}/a.ts\n`);
    for (const demuxer of ['mov', 'matroska'] as const) {
      const args = [...readFrom(list, demuxer), '-f', 'null', '-'];
      await expect(runFfmpeg('ffmpeg', args, { timeoutMs: 20_000, signal })).rejects.toThrow(FfmpegError);
    }
    web.close();
    expect(asked).toEqual([]);
  });
});
