import { IMAGE_PIXELS_MAX } from '@ams/contract';
import type { ProbedVideo } from '../platform/sandbox/answers.ts';
import type { AppSandbox } from '../platform/sandbox/open.ts';
import { demuxerOf, FfmpegError, outputThreads, readFrom, runFfmpeg } from './ffmpeg.ts';
import { coloursIn } from './colours.ts';
import { asSeen, type Frames } from './filters.ts';

/** Dependencies of the examination of videos. */
export interface FfmpegUse {
  sandbox: AppSandbox;
  ffmpeg: string;
  signal: AbortSignal;
}

export interface Still {
  /** WebP. */
  poster: Uint8Array;
  frames: Frames;
}

const TIMEOUT_MS = 60_000;
const AT_MOST_SECONDS = 2;
const FRAME_SIDE = 1920;

/** A line of ffmpeg's filter `showinfo` on a frame: `i:P` is progressive, `i:T` and `i:B` name the first half. */
const INTERLACED_FRAME = /showinfo.* i:[TB] /;

function swallowFfmpegError(error: unknown): undefined {
  if (!(error instanceof FfmpegError)) throw error;
}

/** A still of the video from near its beginning, or undefined when ffmpeg finds not one frame in it. */
export async function stillOf(
  file: string,
  facts: ProbedVideo,
  { sandbox, ffmpeg, signal }: FfmpegUse,
): Promise<Still | undefined> {
  const seconds = Math.min(AT_MOST_SECONDS, facts.durationMs / 3000);
  const input = readFrom(file, demuxerOf(facts.container));
  for (const seek of [['-ss', seconds.toFixed(3)], []]) {
    for (const light of facts.hdr ? (['mapped', 'relabelled'] as const) : (['asIs'] as const)) {
      const filters = `showinfo,${asSeen({ interlaced: true, light }, FRAME_SIDE)}`;
      const still = ['-frames:v', '1', '-vf', filters, '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'];
      const args = ['-nostats', '-loglevel', 'info', ...seek, ...input, '-an', '-sn', ...outputThreads, ...still];
      const said = await runFfmpeg(ffmpeg, args, { timeoutMs: TIMEOUT_MS, signal }).catch(swallowFfmpegError);
      if (!said || said.output.length === 0) continue;
      const frame = { bytes: said.output, pixelsMax: IMAGE_PIXELS_MAX };
      const poster = await sandbox.run('poster', frame, { signal });
      if (!poster) continue;
      return { poster, frames: { interlaced: INTERLACED_FRAME.test(said.log), colours: coloursIn(said.log) } };
    }
  }
  return undefined;
}

const LOOK_THROUGH_MS = 120_000;

/**
 * Whether a video that is played as it is can be decoded from its beginning to its end; looks at the frames
 * that stand alone, a few in a hundred. One that is too long to look through passes.
 */
export async function isWhole(file: string, facts: ProbedVideo, { ffmpeg, signal }: FfmpegUse): Promise<boolean> {
  const input = ['-discard:v', 'nokey', '-skip_frame', 'nokey', ...readFrom(file, demuxerOf(facts.container))];
  const args = ['-loglevel', 'error', ...input, '-map', '0:V:0', '-f', 'null', '-'];
  try {
    await runFfmpeg(ffmpeg, args, { timeoutMs: LOOK_THROUGH_MS, signal });
    return true;
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    return error.reason === 'timeout';
  }
}
