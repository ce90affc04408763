import path from 'node:path';
import { hashFile } from '../platform/process/hash-file.ts';
import type { AppSandbox } from '../platform/sandbox/open.ts';
import { FfmpegError, outputThreads, readFrom, runFfmpeg } from './ffmpeg.ts';
import type { FfmpegUse } from './still.ts';

const REMUX_MS = 600_000;

/**
 * ffmpeg's options that take over nothing but pictures, one of the sounds, how they are turned and their colours. `soundAt` is
 * the place of the sound among those of the file, from 0.
 */
export const withoutMetadata = (soundAt: number): string[] => [
  ...['-map', '0:V:0', '-map', `0:a:${soundAt}?`, '-sn', '-dn'],
  ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
];

const isWebm = (mime: string): boolean => mime === 'video/webm';

/** Writes the same pictures and sounds, as they are coded, to `target`; false when ffmpeg cannot. */
async function writePlainVideo(
  file: string,
  target: string,
  { mime, soundAt }: Pick<Original, 'mime' | 'soundAt'>,
  { ffmpeg, signal }: Pick<FfmpegUse, 'ffmpeg' | 'signal'>,
): Promise<boolean> {
  const wrapped = isWebm(mime) ? ['-f', 'webm'] : ['-movflags', '+faststart', '-f', 'mp4'];
  const input = ['-loglevel', 'error', ...readFrom(file, isWebm(mime) ? 'matroska' : 'mov')];
  const kept = [...withoutMetadata(soundAt), '-c', 'copy'];
  const args = [...input, ...kept, ...outputThreads, ...wrapped, '-y', `file:${target}`];
  try {
    await runFfmpeg(ffmpeg, args, { timeoutMs: REMUX_MS, signal });
    return true;
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    return false;
  }
}

/** The copy that is served instead of the original. */
interface Copy {
  file: string;
  sha256: string;
  bytes: number;
}

type Cleaned =
  /** It has no personal metadata: it is served as it is. */
  { kind: 'plain' } | { kind: 'copy'; copy: Copy } | { kind: 'failed'; failure: 'needsConversion' | 'conversion' };

interface Original {
  source: string;
  /** Path of the copy. */
  folder: string;
  mime: string;
  /** Place of the sound that is kept, from 0. */
  soundAt: number;
  sandbox: AppSandbox;
  signal: AbortSignal;
  use: Pick<FfmpegUse, 'ffmpeg' | 'signal'> | undefined;
}

/** Makes a copy without metadata of a video that browsers play, if it carries any. */
export async function cleanVideo({ source, folder, mime, soundAt, sandbox, signal, use }: Original): Promise<Cleaned> {
  const isPlain = (file: string): Promise<boolean> => sandbox.run('isPlainVideo', { file, mime }, { signal });
  if (await isPlain(source)) return { kind: 'plain' };
  if (!use) return { kind: 'failed', failure: 'needsConversion' };
  const file = path.join(folder, 'clean');
  const isWritten = await writePlainVideo(source, file, { mime, soundAt }, use);
  if (!isWritten || !(await isPlain(file))) return { kind: 'failed', failure: 'conversion' };
  return { kind: 'copy', copy: { file, ...(await hashFile(file)) } };
}
