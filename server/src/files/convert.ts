import { FfmpegError, outputThreads, readFrom, runFfmpeg } from './ffmpeg.ts';
import { asSeen, type Looks } from './filters.ts';
import { planVideo, type VideoPlan } from './playable.ts';
import type { FfmpegUse } from './still.ts';
import { demuxerOf, probeVideo, type ProbedVideo } from './video.ts';

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

const MINUTE_MS = 60_000;
/** Encoding may take ten times as long as the video plays, and never less or more than these. */
const TIME_FACTOR = 10;
const TIME_LEAST_MS = 10 * MINUTE_MS;
const TIME_MOST_MS = 12 * 60 * MINUTE_MS;

const timeLimit = (durationMs: number): number =>
  Math.min(TIME_MOST_MS, Math.max(TIME_LEAST_MS, durationMs * TIME_FACTOR));

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

interface Convertible {
  file: string;
  target: string;
  facts: ProbedVideo;
  interlaced: boolean;
  use: FfmpegUse;
  /** Gets the share that is done, 0 to 1, about once a second. */
  onProgress: (share: number) => void;
}

async function run({ file, target, facts, use, onProgress }: Convertible, way: Way): Promise<void> {
  await runFfmpeg(
    use.ffmpeg,
    [
      ...['-loglevel', 'error', '-nostats', '-progress', 'pipe:1', '-stats_period', '1'],
      ...readFrom(file, demuxerOf(facts.container)),
      ...['-map', '0:V:0', '-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1'],
      ...(way.video === 'copy' ? ['-c:v', 'copy'] : encodeVideo(way.looks)),
      ...AUDIO[way.audio],
      ...outputThreads,
      ...['-movflags', '+faststart', '-f', 'mp4', '-y', `file:${target}`],
    ],
    {
      timeoutMs: timeLimit(facts.durationMs),
      signal: use.signal,
      onOutput: (lines) => {
        const made = madeMs(lines);
        if (made !== undefined) onProgress(Math.min(1, made / facts.durationMs));
      },
    },
  );
}

/** As cheaply as the plan allows; then by encoding everything; then without filters that an ffmpeg may lack. */
function waysOf({ facts, interlaced }: Convertible, plan: Conversion): Way[] {
  const looks: Looks = { interlaced, light: facts.hdr ? 'mapped' : 'asIs' };
  const encode = { kind: 'convert', video: 'encode', audio: facts.audio ? 'encode' : 'none' } as const;
  const cheap = plan.video === 'copy' || plan.audio === 'copy';
  return [
    ...(cheap ? [{ ...plan, looks }] : []),
    { ...encode, looks },
    ...(facts.hdr ? [{ ...encode, looks: { interlaced, light: 'relabelled' as const } }] : []),
  ];
}

export type Converted =
  { kind: 'converted'; facts: ProbedVideo } | { kind: 'failed'; failure: 'conversion' | 'unreadable' | 'tooSlow' };

/** Writes an MP4 that browsers play and that starts before it is whole. */
export async function convertVideo(convertible: Convertible, plan: Conversion): Promise<Converted> {
  const { target, facts } = convertible;
  for (const way of waysOf(convertible, plan)) {
    try {
      await run(convertible, way);
    } catch (error) {
      if (!(error instanceof FfmpegError)) throw error;
      if (error.reason === 'damaged') return { kind: 'failed', failure: 'unreadable' };
      if (error.reason === 'timeout') return { kind: 'failed', failure: 'tooSlow' };
      continue;
    }
    const made = await probeVideo(target);
    if (made.kind !== 'video' || planVideo({ ...made, interlaced: false }).kind !== 'play') continue;
    if (made.durationMs + LAST_FRAME_MS < facts.durationMs * LENGTH_LEAST)
      return { kind: 'failed', failure: 'unreadable' };
    return { kind: 'converted', facts: made };
  }
  return { kind: 'failed', failure: 'conversion' };
}
