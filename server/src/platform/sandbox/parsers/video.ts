import { EncodedPacketSink, FilePathSource, Input, type InputAudioTrack, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import type { ProbedVideo, VideoProbe } from '../answers.ts';
import type { AppInput } from '../tasks.ts';
import { shownSeconds } from './edit-lists.ts';

const CONTAINERS = new Map<unknown, ProbedVideo['container']>([
  [MP4, 'mp4'],
  [QTFF, 'mov'],
  [WEBM, 'webm'],
  [MATROSKA, 'mkv'],
]);

/** Lists name the length less exactly than the pictures: what is shorter by less than this was not cut. */
const CUT_SECONDS = 0.1;

/**
 * A video that begins later than this on its own clock is a part of a recording. Browsers begin it at once, and differ in
 * the length and the places that they give for it.
 */
const LATE_SECONDS = 1;

/** A week: no video is longer, but a header may contain any number. */
const SECONDS_MAX = 7 * 86_400;

/** The seconds that are played. mediabunny knows of edit lists only where they begin. */
async function playedSeconds(file: string, input: Input): Promise<number> {
  const stored = await input.computeDuration();
  const shown = await shownSeconds(file);
  return shown < stored - CUT_SECONDS ? shown : stored;
}

/** The bits of an MPEG audio frame that name its layer, and those of layer III (ISO/IEC 11172-3 §2.4.2.3). */
const LAYER = { bits: 0x06, third: 0x02 };

/** MP4 has one name for all layers of MPEG audio, and browsers play layer III only: others are null. */
async function audioCodec(audio: InputAudioTrack): Promise<string | null> {
  const codec = await audio.getCodec();
  if (codec !== 'mp3') return codec;
  const first = await new EncodedPacketSink(audio).getFirstPacket();
  return ((first?.data[1] ?? 0) & LAYER.bits) === LAYER.third ? codec : null;
}

/** How much light a signal stands for, where that is more than a common screen shows (ITU-R BT.2100). */
const HDR_TRANSFERS = new Set<string | undefined>(['pq', 'hlg']);

async function probe(file: string, input: Input, pixelsMax: number): Promise<VideoProbe> {
  const container = CONTAINERS.get(await input.getFormat());
  const tracks = await input.getTracks();
  if (!container || tracks.length === 0) return { kind: 'bad', failure: 'unreadable' };
  const video = await input.getPrimaryVideoTrack();
  if (!video) return { kind: 'bad', failure: 'noVideo' };
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  if (width * height > pixelsMax) return { kind: 'bad', failure: 'tooManyPixels' };
  // The index of a truncated file refers to missing frames.
  const last = await new EncodedPacketSink(video).getPacket(Infinity);
  const first = await input.getFirstTimestamp();
  const late = first > LATE_SECONDS;
  const seconds = (await playedSeconds(file, input)) - (late ? first : 0);
  if (!last || !(seconds > 0 && seconds < SECONDS_MAX)) return { kind: 'bad', failure: 'unreadable' };
  const audio = await input.getPrimaryAudioTrack();
  return {
    kind: 'video',
    container,
    codec: await video.getCodec(),
    codecString: await video.getCodecParameterString(),
    audio: audio ? { codec: await audioCodec(audio) } : undefined,
    soundAt: audio ? audio.number - 1 : 0,
    // Not by the primaries: recordings of wide-gamut screens (Display P3) are as bright as any.
    hdr: HDR_TRANSFERS.has((await video.getColorSpace()).transfer),
    late,
    width,
    height,
    durationMs: Math.max(1, Math.round(seconds * 1000)),
  };
}

/** Properties of a video file; a file that cannot be read completely is `unreadable`. */
export async function videoFacts({ file, pixelsMax }: AppInput<'videoFacts'>): Promise<VideoProbe> {
  // No playlists among the formats: those name other files and addresses.
  const input = new Input({ formats: [MP4, QTFF, WEBM, MATROSKA], source: new FilePathSource(file) });
  try {
    return await probe(file, input, pixelsMax);
  } catch {
    return { kind: 'bad', failure: 'unreadable' };
  } finally {
    input.dispose();
  }
}
