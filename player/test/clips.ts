import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];

/** A video or picture made by ffmpeg, as bytes. `source`: an input of the lavfi device. */
export function makeMedia(folder: string, name: string, source: string): Buffer<ArrayBuffer> {
  const file = path.join(folder, name);
  const output = name.endsWith('.mp4') ? H264 : ['-frames:v', '1'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...output, file]);
  return readFileSync(file);
}

/** Solid colour of `seconds` at 30 frames a second. */
export const clip = (colour: string, seconds: number, size = '1280x720'): string =>
  `color=${colour}:size=${size}:rate=30:duration=${seconds}`;
