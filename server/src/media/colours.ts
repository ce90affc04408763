import type { ProbedVideo } from '../platform/sandbox/answers.ts';
import { demuxerOf, FfmpegError, readFrom, runFfmpeg } from './ffmpeg.ts';
import type { Colours } from './filters.ts';
import type { FfmpegUse } from './still.ts';

const TIMEOUT_MS = 60_000;

/** Lines of ffmpeg's filter `showinfo`: pixels that are red, green and blue, or share a palette; and named colours. */
const RGB = /showinfo.* fmt:(?:gbr|rgb|bgr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/;
const NAMED = /showinfo.* color_space:(\S+) color_primaries:(\S+) color_trc:(\S+)/;

/**
 * Names of the first frame's colours; undefined when its matrix is unknown or ffmpeg refuses the file. Throws what else
 * `runFfmpeg` throws.
 */
export async function coloursOf(
  file: string,
  facts: ProbedVideo,
  { ffmpeg, signal }: Pick<FfmpegUse, 'ffmpeg' | 'signal'>,
): Promise<Colours | undefined> {
  const input = ['-nostats', '-loglevel', 'info', ...readFrom(file, demuxerOf(facts.container))];
  const args = [...input, '-map', '0:V:0', '-frames:v', '1', '-vf', 'showinfo', '-f', 'null', '-'];
  const said = await runFfmpeg(ffmpeg, args, { timeoutMs: TIMEOUT_MS, signal }).catch((error: unknown) => {
    if (error instanceof FfmpegError) return undefined;
    throw error;
  });
  const [, matrix = 'unknown', primaries = 'unknown', transfer = 'unknown'] = NAMED.exec(said?.log ?? '') ?? [];
  const isKnown = matrix !== 'unknown' || RGB.test(said?.log ?? '');
  return isKnown ? { primaries, transfer } : undefined;
}
