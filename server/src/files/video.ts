import { EncodedPacketSink, FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { FfmpegError, outputThreads, readFrom, runFfmpeg } from './ffmpeg.ts';
import { makePoster } from './picture.ts';
import type { VideoFacts, VideoPlan } from './playable.ts';

export interface ProbedVideo extends VideoFacts {
  kind: 'video';
  /** As shown: turned, with square pixels. */
  width: number;
  height: number;
  durationMs: number;
}

export type VideoProbe = ProbedVideo | { kind: 'bad'; failure: 'unreadable' | 'noVideo' };

const CONTAINERS = new Map<unknown, VideoFacts['container']>([
  [MP4, 'mp4'],
  [QTFF, 'mov'],
  [WEBM, 'webm'],
  [MATROSKA, 'mkv'],
]);

async function probe(input: Input): Promise<VideoProbe> {
  const container = CONTAINERS.get(await input.getFormat());
  const tracks = await input.getTracks();
  if (!container || tracks.length === 0) return { kind: 'bad', failure: 'unreadable' };
  const video = await input.getPrimaryVideoTrack();
  if (!video) return { kind: 'bad', failure: 'noVideo' };
  // The index of a file that was cut off names frames that are not there.
  const last = await new EncodedPacketSink(video).getPacket(Infinity);
  const seconds = await input.computeDuration();
  if (!last || !(seconds > 0)) return { kind: 'bad', failure: 'unreadable' };
  const audio = await input.getPrimaryAudioTrack();
  return {
    kind: 'video',
    container,
    codec: await video.getCodec(),
    codecString: await video.getCodecParameterString(),
    audio: audio ? { codec: await audio.getCodec() } : undefined,
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    durationMs: Math.round(seconds * 1000),
  };
}

/** What is in a video file; a file that cannot be read to its end is `unreadable`. */
export async function probeVideo(file: string): Promise<VideoProbe> {
  // No playlists among the formats: those name other files and addresses.
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new FilePathSource(file) });
  try {
    return await probe(input);
  } catch {
    return { kind: 'bad', failure: 'unreadable' };
  } finally {
    input.dispose();
  }
}

const demuxerOf = (container: VideoFacts['container']): 'mov' | 'matroska' =>
  container === 'mp4' || container === 'mov' ? 'mov' : 'matroska';

export interface FfmpegUse {
  ffmpeg: string;
  signal: AbortSignal;
}

const POSTER_TIMEOUT_MS = 60_000;
const POSTER_AT_MOST_SECONDS = 2;

/** A still of the video, or undefined when ffmpeg finds not one frame in it. */
export async function posterOfVideo(
  file: string,
  facts: ProbedVideo,
  { ffmpeg, signal }: FfmpegUse,
): Promise<Buffer | undefined> {
  const seconds = Math.min(POSTER_AT_MOST_SECONDS, facts.durationMs / 3000);
  for (const seek of [['-ss', seconds.toFixed(3)], []]) {
    const still = ['-frames:v', '1', '-vf', "scale='iw*sar':ih,setsar=1", '-c:v', 'png', '-f', 'image2pipe', 'pipe:1'];
    const args = [...seek, ...readFrom(file, demuxerOf(facts.container)), '-an', '-sn', ...still];
    const frame = await runFfmpeg(ffmpeg, args, { timeoutMs: POSTER_TIMEOUT_MS, signal }).catch(swallowFfmpegError);
    if (frame && frame.length > 0) return makePoster(frame);
  }
  return undefined;
}

function swallowFfmpegError(error: unknown): undefined {
  if (!(error instanceof FfmpegError)) throw error;
}

/** H.264 as every browser and every cheap board decodes it: 8 bit 4:2:0, even sides, at most Full HD's long side. */
const ENCODE_VIDEO = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
  ...[
    '-vf',
    "scale='min(1920,iw*sar)':'min(1920,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,setsar=1",
  ],
];
const ENCODE_AUDIO = ['-c:a', 'aac', '-b:a', '160k', '-ac', '2'];

/** Encoding may take ten times as long as the video plays, and never less than this. */
const CONVERT_LEAST_MS = 10 * 60_000;
const CONVERT_FACTOR = 10;

/** Writes an MP4 that browsers play and that starts before it is whole. Throws `FfmpegError`. */
export async function convertVideo(
  file: string,
  target: string,
  facts: ProbedVideo,
  plan: Extract<VideoPlan, { kind: 'convert' }>,
  { ffmpeg, signal }: FfmpegUse,
): Promise<void> {
  const video = plan.video === 'copy' ? ['-c:v', 'copy'] : ENCODE_VIDEO;
  const audio = { copy: ['-c:a', 'copy'], encode: ENCODE_AUDIO, none: ['-an'] }[plan.audio];
  await runFfmpeg(
    ffmpeg,
    [
      ...readFrom(file, demuxerOf(facts.container)),
      ...['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1'],
      ...video,
      ...audio,
      ...outputThreads,
      ...['-movflags', '+faststart', '-f', 'mp4', '-y', `file:${target}`],
    ],
    { timeoutMs: Math.max(CONVERT_LEAST_MS, facts.durationMs * CONVERT_FACTOR), signal },
  );
}
