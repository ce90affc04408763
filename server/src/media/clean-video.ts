import { FfmpegError, outputThreads, readFrom, runFfmpeg } from './ffmpeg.ts';
import type { FfmpegUse } from './still.ts';

const REMUX_MS = 600_000;

/** ffmpeg's options that take over nothing but pictures, sounds, how they are turned and their colours. */
export const WITHOUT_METADATA = [
  ...['-map', '0:V:0', '-map', '0:a:0?', '-sn', '-dn'],
  ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
];

const isWebm = (mime: string): boolean => mime === 'video/webm';

/** Writes the same pictures and sounds, as they are coded, to `target`; false when ffmpeg cannot. */
export async function writePlainVideo(
  file: string,
  target: string,
  mime: string,
  { ffmpeg, signal }: Pick<FfmpegUse, 'ffmpeg' | 'signal'>,
): Promise<boolean> {
  const wrapped = isWebm(mime) ? ['-f', 'webm'] : ['-movflags', '+faststart', '-f', 'mp4'];
  const input = ['-loglevel', 'error', ...readFrom(file, isWebm(mime) ? 'matroska' : 'mov')];
  const args = [...input, ...WITHOUT_METADATA, '-c', 'copy', ...outputThreads, ...wrapped, '-y', `file:${target}`];
  try {
    await runFfmpeg(ffmpeg, args, { timeoutMs: REMUX_MS, signal });
    return true;
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    return false;
  }
}
