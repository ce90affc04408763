import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

/** The same work by sharp and ffmpeg alone: a poster of each, and conversion where needed. */
const folder = process.env['FOLDER'] ?? '';
const run = promisify(execFile);
sharp.cache(false);
sharp.concurrency(1);

async function still(source: string | Buffer, target: string): Promise<void> {
  const poster = sharp(source).autoOrient().resize(480, 480, { fit: 'inside' }).webp({ quality: 75 });
  await writeFile(target, await poster.toBuffer());
}

const ffmpeg = (...args: string[]) =>
  run('ffmpeg', ['-v', 'error', '-nostdin', '-threads', '2', ...args], { encoding: 'buffer', maxBuffer: 2 ** 26 });

const ENCODE = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p', '-threads', '2'];

async function work(name: string): Promise<void> {
  const file = path.join(folder, name);
  const target = `${file}.webp`;
  if (name.endsWith('.jpg')) return still(file, target);
  const frame = await ffmpeg('-ss', '1', '-i', file, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', 'pipe:1');
  await still(frame.stdout, target);
  if (name.endsWith('.mov')) await ffmpeg('-i', file, ...ENCODE, '-movflags', '+faststart', '-y', `${file}.mp4`);
  else await ffmpeg('-discard:v', 'nokey', '-skip_frame', 'nokey', '-i', file, '-map', '0:V:0', '-f', 'null', '-');
}

const waiting = await readdir(folder);
const start = performance.now();
const worker = async (): Promise<void> => {
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await work(name);
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));
console.log(performance.now() - start);
