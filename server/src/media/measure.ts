import {
  FLASH_CHANGE,
  flashingIn,
  joined,
  LOUD_HALF_WINDOW_MS,
  LOUD_LUFS,
  type Measured,
  type Passage,
} from '@ams/contract';
import type { ProbedVideo } from '../platform/sandbox/answers.ts';
import { demuxerOf, NICENESS, readFrom, runFfmpeg } from './ffmpeg.ts';
import type { FfmpegUse } from './still.ts';

/** A busy computer lets it wait; the queue gives a job to another worker after four hours. */
const TIMEOUT_MS = 3 * 3_600_000;
/** Filters look at small pictures: decoding is then nearly all of the work. */
const WIDTH = 320;
/** Shorter passages are not noted at all. */
const LEAST_SECONDS = 0.5;
/** Values of short-term loudness are that far apart. */
const LOUDNESS_STEP_MS = 100;
/** Notes of each kind: an hour of strobe light must not fill the memory. */
const NOTES_MAX = 10_000;

/** Has the values of a key printed to the standard output, or all keys, each after a line with its time. */
const print = (filter: 'metadata' | 'ametadata', key?: string, above?: number): string =>
  [
    `${filter}=mode=print:direct=1:file='pipe\\:1'`,
    ...(key === undefined ? [] : [`key=${key}`]),
    ...(above === undefined ? [] : [`value=${above}`, 'function=greater']),
  ].join(':');

/** In a dark passage 98 % of the pixels have less than a tenth of the luminance (ffmpeg's defaults). */
const PICTURE_FILTERS = [
  `scale=w='min(${WIDTH},iw)':h=-2`,
  `blackdetect=d=${LEAST_SECONDS}:pic_th=0.98:pix_th=0.1`,
  `freezedetect=n=-60dB:d=${LEAST_SECONDS}`,
  print('metadata'),
  'photosensitivity=bypass=1',
  print('metadata', 'lavfi.photosensitivity.frame-badness', FLASH_CHANGE),
].join(',');

const SOUND_FILTERS = [
  `silencedetect=n=-50dB:d=${LEAST_SECONDS}`,
  'ebur128=metadata=1',
  print('ametadata', 'lavfi.silence_start'),
  print('ametadata', 'lavfi.silence_end'),
  print('ametadata', 'lavfi.r128.S', LOUD_LUFS),
].join(',');

/** Passages whose beginnings and ends are noted one after the other. */
class OpenPassages {
  readonly #durationMs: number;
  readonly #closed: Passage[] = [];
  #fromMs: number | undefined;

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  begin(ms: number): void {
    this.#fromMs ??= ms;
  }

  end(ms: number): void {
    if (this.#fromMs !== undefined && this.#closed.length < NOTES_MAX) {
      this.#closed.push({ fromMs: this.#fromMs, toMs: ms });
    }
    this.#fromMs = undefined;
  }

  /** One that is open lasts until the end of the video. */
  all(): Passage[] {
    if (this.#fromMs !== undefined) this.end(Math.max(this.#durationMs, this.#fromMs));
    return this.#closed;
  }
}

const toMs = (seconds: string): number => Math.round(Number(seconds) * 1000);

/** Collects what the filters print. */
class Notes {
  readonly black: OpenPassages;
  readonly frozen: OpenPassages;
  readonly silent: OpenPassages;
  readonly #durationMs: number;
  readonly #changes: number[] = [];
  readonly #loud: Passage[] = [];
  #atMs = 0;
  #rest = '';

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
    this.black = new OpenPassages(durationMs);
    this.frozen = new OpenPassages(durationMs);
    this.silent = new OpenPassages(durationMs);
  }

  /** Takes output of ffmpeg, which may end within a line. */
  readonly take = (text: string): void => {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  };

  #read(line: string): void {
    const time = /^frame:.*\bpts_time:([\d.]+)/.exec(line)?.[1];
    if (time !== undefined) this.#atMs = toMs(time);
    const [, key, value] = /^lavfi\.([\w.-]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) this.#note(key, value);
  }

  #note(key: string, value: string): void {
    switch (key) {
      case 'black_start':
        return this.black.begin(toMs(value));
      case 'black_end':
        return this.black.end(toMs(value));
      case 'freezedetect.freeze_start':
        return this.frozen.begin(toMs(value));
      case 'freezedetect.freeze_end':
        return this.frozen.end(toMs(value));
      case 'silence_start':
        return this.silent.begin(Math.max(0, toMs(value)));
      case 'silence_end':
        return this.silent.end(toMs(value));
      case 'photosensitivity.frame-badness':
        if (this.#changes.length < NOTES_MAX) this.#changes.push(this.#atMs);
        return;
      case 'r128.S':
        return this.#noteLoud();
      default:
    }
  }

  #noteLoud(): void {
    const fromMs = Math.max(0, this.#atMs - LOUD_HALF_WINDOW_MS);
    const last = this.#loud.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = fromMs + LOUDNESS_STEP_MS;
    else if (this.#loud.length < NOTES_MAX) this.#loud.push({ fromMs, toMs: fromMs + LOUDNESS_STEP_MS });
  }

  measured(): Measured {
    const within = (passages: readonly Passage[]): Passage[] =>
      joined(passages).map((each) => ({ ...each, toMs: Math.min(each.toMs, this.#durationMs) }));
    return {
      black: within(this.black.all()),
      frozen: within(this.frozen.all()),
      silent: within(this.silent.all()),
      loud: within(this.#loud),
      flashing: flashingIn(this.#changes),
    };
  }
}

/**
 * Finds black, frozen, silent, loud and flashing passages of a video, at the lowest priority: nothing waits for it.
 * Throws what `runFfmpeg` throws.
 */
export async function measureVideo(
  file: string,
  facts: ProbedVideo,
  { ffmpeg, signal }: Pick<FfmpegUse, 'ffmpeg' | 'signal'>,
): Promise<Measured> {
  const notes = new Notes(facts.durationMs);
  const input = ['-loglevel', 'error', '-nostats', ...readFrom(file, demuxerOf(facts.container))];
  const options = { timeoutMs: TIMEOUT_MS, niceness: NICENESS.unawaited, signal, onOutput: notes.take };
  // One after the other: both write their lines to the same output.
  await runFfmpeg(ffmpeg, [...input, '-map', '0:V:0', '-vf', PICTURE_FILTERS, '-f', 'null', '-'], options);
  if (facts.audio) {
    const sound = ['-map', `0:a:${facts.soundAt}`, '-af', SOUND_FILTERS];
    await runFfmpeg(ffmpeg, [...input, ...sound, '-f', 'null', '-'], options);
  }
  return notes.measured();
}
