/** Properties of a video file. Codec names are mediabunny's; null: unknown codec. */
export interface VideoFacts {
  container: 'mp4' | 'mov' | 'webm' | 'mkv';
  codec: string | null;
  /** RFC 6381 codec string such as `avc1.640015`. */
  codecString: string | null;
  /** Undefined when there is no sound. */
  audio?: { codec: string | null } | undefined;
  /** Brighter and more colourful than a common screen shows (PQ, HLG): washed out when shown as it is. */
  hdr: boolean;
  /** It does not begin at the beginning of its own clock. */
  late: boolean;
  /** Drawn in two halves, every other line: combs where something moves. */
  interlaced: boolean;
}

/** How a video becomes what every browser plays. */
export type VideoPlan =
  | { kind: 'play'; mime: 'video/mp4' | 'video/webm' }
  | { kind: 'convert'; video: 'copy' | 'encode'; audio: 'copy' | 'encode' | 'none' };

/** H.264 profiles with 8 bits and 4:2:0: Baseline, Main, Extended, High (ITU-T H.264 annex A). */
const AVC_PROFILES = /^avc[13]\.(42|4d|58|64)/i;
/** VP9 profile 0 and AV1 Main with 8 bits. */
const VP9_PROFILE = /^vp09\.00\./;
const AV1_PROFILE = /^av01\.0\.\d\d[MH]\.08/;

const WEBM_AUDIO = new Set(['opus', 'vorbis']);
const MP4_AUDIO = new Set(['aac', 'mp3', 'opus', 'flac']);

const isAvc = ({ codec, codecString }: VideoFacts): boolean => codec === 'avc' && AVC_PROFILES.test(codecString ?? '');

function isFree({ codec, codecString }: VideoFacts): boolean {
  if (codec === 'vp8') return true;
  if (codec === 'vp9') return VP9_PROFILE.test(codecString ?? '');
  return codec === 'av1' && AV1_PROFILE.test(codecString ?? '');
}

const soundIsIn = (facts: VideoFacts, codecs: Set<string>): boolean =>
  facts.audio === undefined || codecs.has(facts.audio.codec ?? '');

function audioPlan({ audio }: VideoFacts): 'copy' | 'encode' | 'none' {
  if (audio === undefined) return 'none';
  return audio.codec === 'aac' ? 'copy' : 'encode';
}

/** Whether browsers play the file unchanged, and otherwise what has to be converted. */
export function planVideo(facts: VideoFacts): VideoPlan {
  if (facts.hdr || facts.interlaced) return { kind: 'convert', video: 'encode', audio: audioPlan(facts) };
  const converted = { kind: 'convert', video: isAvc(facts) ? 'copy' : 'encode', audio: audioPlan(facts) } as const;
  if (facts.late) return converted;
  if (facts.container === 'webm' && isFree(facts) && soundIsIn(facts, WEBM_AUDIO)) {
    return { kind: 'play', mime: 'video/webm' };
  }
  const inMp4 = isAvc(facts) || (isFree(facts) && facts.codec !== 'vp8');
  if (facts.container === 'mp4' && inMp4 && soundIsIn(facts, MP4_AUDIO)) return { kind: 'play', mime: 'video/mp4' };
  // QuickTime with the codecs of MP4 differs in its wrapping only, which browsers look through.
  if (facts.container === 'mov' && isAvc(facts) && (!facts.audio || facts.audio.codec === 'aac')) {
    return { kind: 'play', mime: 'video/mp4' };
  }
  return converted;
}
