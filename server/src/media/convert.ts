import { IMAGE_PIXELS_MAX } from '@ams/contract';
import type { ProbedVideo } from '../platform/sandbox/answers.ts';
import { demuxerOf, FfmpegError, NICENESS, outputThreads, readFrom, runFfmpeg } from './ffmpeg.ts';
import { asSeen, type Frames, type Looks } from './filters.ts';
import { type Bounds, LONGEST_MS } from './pace.ts';
import { withoutMetadata } from './clean-video.ts';
import { watchPace } from './pace-watch.ts';
import { planVideo, type VideoPlan } from './playable.ts';
import type { FfmpegUse } from './still.ts';

type Conversion = Extract<VideoPlan, { kind: 'convert' }>;

/** Full HD: what every cheap board decodes. */
const LONG_SIDE = 1920;
const FRAMES_A_SECOND_MAX = 60;

/** H.264 as every browser and every cheap board decodes it: 8 bit 4:2:0. */
const encodeVideo = (looks: Looks): string[] => [
  ...['-vf', asSeen(looks, LONG_SIDE), '-fpsmax', String(FRAMES_A_SECOND_MAX)],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
];
const ENCODE_AUDIO = ['-c:a', 'aac', '-b:a', '160k', '-ac', '2', '-ar', '48000'];
const AUDIO = { copy: ['-c:a', 'copy'], encode: ENCODE_AUDIO, none: ['-an'] };

/** Share of the original's length that has to come out, but for a last frame that nobody knows the end of. */
const LENGTH_LEAST = 0.9;
const LAST_FRAME_MS = 2000;

/** Milliseconds of film made so far, in ffmpeg's `-progress` lines. */
function madeMs(lines: string): number | undefined {
  const microseconds = [...lines.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
  return microseconds === undefined ? undefined : Number(microseconds) / 1000;
}

interface Way extends Conversion {
  looks: Looks;
}

/** Limits of a conversion and the callback for its progress. */
export interface Converting {
  bounds: Bounds;
  /** Whether another owner's conversion could begin in its place. */
  othersWait: () => Promise<boolean>;
  /** Gets the share that is done, 0 to 1, about once a second. */
  onProgress: (share: number) => void;
}

interface Convertible extends Converting {
  file: string;
  target: string;
  facts: ProbedVideo;
  frames: Frames;
  use: FfmpegUse;
}

/** Runs ffmpeg for as long as its pace allows. Throws `MakeRoom`, and what `runFfmpeg` throws. */
async function run(convertible: Convertible, way: Way): Promise<void> {
  const { file, target, facts, use, bounds, onProgress } = convertible;
  using watch = watchPace(convertible);
  await runFfmpeg(
    use.ffmpeg,
    [
      ...['-loglevel', 'error', '-nostats', '-progress', 'pipe:1', '-stats_period', '1'],
      ...readFrom(file, demuxerOf(facts.container)),
      ...withoutMetadata(facts.soundAt),
      ...(way.video === 'copy' ? ['-c:v', 'copy'] : encodeVideo(way.looks)),
      ...AUDIO[way.audio],
      ...outputThreads,
      ...['-movflags', '+faststart', '-f', 'mp4', '-y', `file:${target}`],
    ],
    {
      timeoutMs: LONGEST_MS,
      niceness: bounds.lane === 'long' ? NICENESS.long : NICENESS.usual,
      signal: AbortSignal.any([use.signal, watch.signal]),
      onOutput: (lines) => {
        const made = madeMs(lines);
        if (made === undefined) return;
        const share = Math.min(1, made / facts.durationMs);
        watch.note(share);
        onProgress(share);
      },
    },
  );
}

/** As cheaply as the plan allows; then by encoding everything; then without filters that an ffmpeg may lack. */
function waysOf({ facts, frames }: Convertible, plan: Conversion): Way[] {
  const looks: Looks = { ...frames, light: facts.hdr ? 'mapped' : 'asIs' };
  const encode = { kind: 'convert', video: 'encode', audio: facts.audio ? 'encode' : 'none' } as const;
  const cheap = plan.video === 'copy' || plan.audio === 'copy';
  return [
    ...(cheap ? [{ ...plan, looks }] : []),
    { ...encode, looks },
    ...(facts.hdr ? [{ ...encode, looks: { ...frames, light: 'relabelled' as const } }] : []),
  ];
}

export type Converted =
  | { kind: 'converted'; facts: ProbedVideo }
  | { kind: 'failed'; failure: 'conversion' | 'unreadable' | 'tooSlow' };

/** Writes an MP4 that browsers play and that starts before it is whole. Throws `MakeRoom` when others come first. */
export async function convertVideo(convertible: Convertible, plan: Conversion): Promise<Converted> {
  const { target, facts, use } = convertible;
  for (const way of waysOf(convertible, plan)) {
    try {
      await run(convertible, way);
    } catch (error) {
      if (!(error instanceof FfmpegError)) throw error;
      if (error.reason === 'damaged') return { kind: 'failed', failure: 'unreadable' };
      if (error.reason === 'timeout') return { kind: 'failed', failure: 'tooSlow' };
      continue;
    }
    const made = await use.sandbox.run('videoFacts', { file: target, pixelsMax: IMAGE_PIXELS_MAX }, use);
    if (made.kind !== 'video' || planVideo({ ...made, interlaced: false }).kind !== 'play') continue;
    if (made.durationMs + LAST_FRAME_MS < facts.durationMs * LENGTH_LEAST)
      return { kind: 'failed', failure: 'unreadable' };
    return { kind: 'converted', facts: made };
  }
  return { kind: 'failed', failure: 'conversion' };
}
