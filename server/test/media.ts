import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Ad, Failure, MediaFile } from '@ams/contract';
import sharp from 'sharp';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { dataOf, type Session, type TestServer } from './server.ts';

const run = promisify(execFile);

/** Makes a file named `name` by ffmpeg from its arguments before the output, and reads it. */
export async function makeMedia(name: string, ...args: string[]): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-media-'));
  try {
    const file = path.join(folder, name);
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...args, file]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Moving test picture of `size`, `seconds` long, as ffmpeg input. */
export const testPattern = (size: string, seconds: number): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=10:duration=${seconds}`],
];

const mp4s = new Map<string, Promise<Buffer>>();

/** H.264 with AAC, upright; every `seed` gives other bytes. Files of a worker share what was made. */
export async function makeMp4(seed = 0, seconds = 1): Promise<Buffer> {
  const key = `${seed} ${seconds}`;
  const making =
    mp4s.get(key) ??
    makeMedia(
      'a.mp4',
      ...testPattern('180x320', seconds),
      ...['-f', 'lavfi', '-i', `sine=frequency=${300 + seed}:duration=${seconds}`],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    );
  mp4s.set(key, making);
  // A copy: tests damage what they get.
  return Buffer.from(await making);
}

/** The same MP4 with the matrix of its first track turned by 90° (ISO/IEC 14496-12 §8.3.2, `tkhd` version 0). */
export function turnedRight(mp4: Buffer): Buffer {
  const turned = Buffer.from(mp4);
  const matrix = turned.indexOf('tkhd') + 44;
  for (const [index, value] of [0, 1, 0, -1, 0].entries()) turned.writeInt32BE(value * 2 ** 16, matrix + index * 4);
  return turned;
}

/** The same MP4 of one track, of which its edit list shows the first seconds only (ISO/IEC 14496-12 §8.6.6, version 0). */
export function shortened(mp4: Buffer, seconds: number): Buffer {
  const short = Buffer.from(mp4);
  const movie = short.indexOf('mvhd');
  const units = seconds * short.readUInt32BE(movie + 16);
  for (const place of [movie + 20, short.indexOf('tkhd') + 24, short.indexOf('elst') + 12]) {
    short.writeUInt32BE(units, place);
  }
  return short;
}

export interface UploadWishes {
  name: string;
  orientation: string;
  kind: number;
  owner?: string;
  filename?: string;
}

/** The metadata of an app's upload. */
export interface AppWishes {
  kind: 'app';
  filename?: string;
  name?: string;
  content?: string;
  forced?: string;
  istype?: string;
}

const FailureBody = z.object({
  code: z.number(),
  message: z.string(),
  error: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** The envelope of a reply that is an error. */
export const failureOf = async (reply: Response): Promise<Failure> => FailureBody.parse(await reply.json());

/** The server's response to an upload. */
export type UploadAnswer =
  | { kind: 'done'; fileId: string; url: string }
  | { kind: 'refused'; status: number; body: Failure };

/** Uploads by tus in pieces of `chunkSize` bytes. */
export function upload(
  server: Pick<TestServer, 'url'>,
  session: Pick<Session, 'token'>,
  bytes: Buffer,
  wishes: UploadWishes | AppWishes,
  options: Partial<UploadOptions> = {},
): Promise<UploadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadAnswer>();
  const { headers, ...rest } = options;
  const task = new Upload(bytes, {
    endpoint: `${server.url}/api/uploads`,
    headers: { authorization: `Bearer ${session.token}`, ...headers },
    metadata: Object.fromEntries(Object.entries(wishes).map(([key, value]) => [key, String(value)])),
    retryDelays: null,
    onSuccess: ({ lastResponse }) =>
      resolve({ kind: 'done', fileId: lastResponse.getHeader('file-id') ?? '', url: task.url ?? '' }),
    onError: (error) => {
      const response = error instanceof DetailedError ? error.originalResponse : null;
      if (!response) return reject(error);
      resolve({
        kind: 'refused',
        status: response.getStatus(),
        body: FailureBody.parse(JSON.parse(response.getBody())),
      });
    },
    ...rest,
  });
  task.start();
  return promise;
}

/** Uploads and waits until processing has ended, well or badly. */
export async function addFile(
  server: Pick<TestServer, 'url'>,
  session: Session,
  bytes: Buffer,
  wishes: UploadWishes,
): Promise<MediaFile> {
  const answer = await upload(server, session, bytes, wishes);
  if (answer.kind === 'refused') throw new Error(JSON.stringify(answer.body));
  return vi.waitFor(
    async () => {
      const file = dataOf(await session.calls.files.get({ params: { id: answer.fileId } }));
      if (file.state === 'processing') throw new Error('still processing');
      return file;
    },
    { timeout: 25_000, interval: 50 },
  );
}

/** An ad of one upright picture. */
export async function addPictureAd(server: Pick<TestServer, 'url'>, session: Session): Promise<Ad> {
  const picture = await sharp({ create: { width: 540, height: 960, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const { id: fileId } = await addFile(server, session, picture, { name: 'red.jpg', orientation: 'vertical', kind: 1 });
  const body = {
    name: 'Autumn',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId }] },
  };
  return dataOf(await session.calls.ads.create({ body }));
}

/** `video` with a box of `padding` random bytes behind it that players ignore (ISO/IEC 14496-12, `free`). */
export function padVideo(video: Buffer, padding: number): Buffer {
  const box = Buffer.alloc(padding, randomUUID());
  box.writeUInt32BE(padding, 0);
  box.write('free', 4, 'latin1');
  return Buffer.concat([video, box]);
}

/** The headers with which a stored video is sent. */
export const videoHeaders = (file: Pick<MediaFile, 'sha256'>, bytes: Buffer) => ({
  'accept-ranges': 'bytes',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-length': String(bytes.length),
  'content-security-policy': "sandbox; default-src 'none'",
  'content-type': 'video/mp4',
  'cross-origin-resource-policy': 'cross-origin',
  'etag': `"${file.sha256}"`,
  'x-content-type-options': 'nosniff',
});

export const bodyOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());

/** Uploads a vertical video and returns the id of its file without waiting for its processing. */
export async function beginVideo(server: Pick<TestServer, 'url'>, session: Session, bytes: Buffer): Promise<string> {
  const answer = await upload(server, session, bytes, { name: 'clip.mp4', orientation: 'vertical', kind: 2 });
  if (answer.kind === 'refused') throw new Error(JSON.stringify(answer.body));
  return answer.fileId;
}

/** Waits until a file is as wanted. */
export const untilFile = (session: Session, id: string, wanted: Partial<MediaFile>): Promise<MediaFile> =>
  vi.waitFor(
    async () => {
      const file = dataOf(await session.calls.files.get({ params: { id } }));
      expect(file).toMatchObject(wanted);
      return file;
    },
    { interval: 50, timeout: 25_000 },
  );
