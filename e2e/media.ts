import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];

/** A phone's upright clip: half its seconds red, half lime, H.264. */
export function makeClip(file: string, seconds: number, size = '1080x1920'): void {
  const half = seconds / 2;
  const colour = (name: string): string => `color=${name}:size=${size}:rate=30:duration=${half}`;
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', colour('red'), '-f', 'lavfi', '-i', colour('lime')],
    ...['-filter_complex', '[0][1]concat=n=2:v=1:a=0', ...H264, file],
  ]);
}

/** A camera recording: HEVC with 10 bits, which the browsers of devices cannot play. */
export function makeCameraClip(file: string): void {
  const film = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1'];
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=1280x720:rate=30:duration=4'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...film, '-x265-params', 'log-level=error', file]);
}

const LARGE_BYTES = 16 * 2 ** 20;

/** A clip of some megabytes, so that its upload takes a while: its end is a box that players skip (`free`). */
export function makeLargeClip(file: string): void {
  makeClip(file, 2);
  const head = Buffer.from('....free');
  head.writeUInt32BE(head.length + LARGE_BYTES);
  appendFileSync(file, Buffer.concat([head, randomBytes(LARGE_BYTES)]));
}

/** Makes an MP4 larger by so many bytes that mean nothing (ISO/IEC 14496-12 §8.1.2, "free"). */
export function pad(file: string, bytes: number): void {
  const box = randomBytes(bytes);
  box.writeUInt32BE(bytes, 0);
  box.write('free', 4, 'latin1');
  appendFileSync(file, box);
}

/** A picture of one colour. */
export function makePicture(file: string, colour: string, size: string): void {
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=${colour}:size=${size}`,
    '-frames:v',
    '1',
    file,
  ]);
}

type Colour = 'red' | 'lime' | 'blue' | 'dark' | 'other';

function nameOf([red = 0, green = 0, blue = 0]: Uint8Array): Colour {
  if (red > 180 && green < 90 && blue < 90) return 'red';
  if (green > 180 && red < 90 && blue < 90) return 'lime';
  if (blue > 180 && red < 90 && green < 90) return 'blue';
  return red + green + blue < 90 ? 'dark' : 'other';
}

/** The colour that a person sees on this page at a place given as shares of its width and height. */
export async function colourAt(page: Page, across: number, down: number): Promise<Colour> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const clip = { x: Math.round(width * across), y: Math.round(height * down), width: 8, height: 8 };
  const picture = await page.screenshot({ clip });
  const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
    input: picture,
  });
  return nameOf(raw.subarray(0, 3));
}
