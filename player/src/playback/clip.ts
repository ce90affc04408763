import type { Media, ProgrammeItem } from '@ams/contract';

/** Address of a file's bytes: an object URL if stored, or the server's address. */
export interface Source {
  url: string;
  release(): void;
}

export type SkipReason = 'missing' | 'undecodable' | 'stalled' | 'error';

export class ClipError extends Error {
  readonly reason: SkipReason;

  constructor(reason: SkipReason) {
    super(`clip: ${reason}`);
    this.name = 'ClipError';
    this.reason = reason;
  }
}

/** One item, decoded and waiting beneath what is on screen. */
export interface Clip {
  readonly item: ProgrammeItem;
  readonly element: HTMLElement;
  /** Plays; resolves when its first frame has been presented, however long that takes. Rejects with `ClipError`. */
  start(): Promise<void>;
  /**
   * After `start`: resolves `leadMs` before its end, so that the next one, which needs that long to
   * start, is there in time. Rejects with `ClipError` when it stops before.
   */
  ended(leadMs: number): Promise<void>;
  /** Removes it from the screen and releases its decoder and its bytes. */
  dispose(): void;
}

/**
 * Has the browser draw what is beneath an element, too: it leaves out what an opaque element covers, and the first
 * frame of a video would then be missing for a moment when the cover goes. No colour changes by a whole step of 255.
 */
export function uncover(element: HTMLElement): void {
  element.style.opacity = '0.999';
}

export interface Sound {
  isMuted: boolean;
  /** 0 to 1 */
  volume: number;
}

/** Asked when a clip begins. */
type SoundNow = () => Sound;

function applySound(video: HTMLVideoElement, { isMuted, volume }: Sound): void {
  video.muted = isMuted;
  video.volume = volume;
}

const STALL_MS = 10_000;
const WATCH_MS = 1000;
/** A hidden window presents nothing, and nobody sees what it would; its frames count after this. */
const HIDDEN_FRAME_MS = 500;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Rejects when `work` takes longer than a stall may. */
const inTime = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    wait(STALL_MS).then(() => {
      throw new ClipError('stalled');
    }),
  ]);

/**
 * Resolves when `present` is done, however long that takes, or when the page is hidden: nobody could see what
 * it shows. Never once the signal aborts.
 */
function presented(present: (done: () => void) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watch = window.setInterval(() => document.hidden && end(), HIDDEN_FRAME_MS);
    const end = () => {
      clearInterval(watch);
      resolve();
    };
    signal.addEventListener('abort', () => clearInterval(watch), { once: true });
    present(end);
  });
}

async function prepareImage(item: ProgrammeItem, source: Source, host: HTMLElement): Promise<Clip> {
  const image = document.createElement('img');
  const over = new AbortController();
  let timer = 0;
  // Chromium's document keeps an image for ever whose address changes while it is not in the document.
  const dispose = () => {
    over.abort();
    clearTimeout(timer);
    image.removeAttribute('src');
    image.remove();
  };
  image.alt = '';
  // Without this the browser may paint an empty box first and the picture later.
  image.decoding = 'sync';
  host.prepend(image);
  image.src = source.url;
  try {
    await inTime(
      image.decode().catch(() => {
        throw new ClipError('undecodable');
      }),
    );
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    item,
    element: image,
    async start() {
      // It may have been decoded long ago and dropped since.
      await image.decode().catch(() => {
        throw new ClipError('undecodable');
      });
      await presented((done) => requestAnimationFrame(done), over.signal);
    },
    ended: (leadMs) =>
      new Promise((resolve) => {
        timer = window.setTimeout(resolve, Math.max(0, item.durationMs - leadMs));
      }),
    dispose,
  };
}

function loaded(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener('canplaythrough', () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new ClipError('undecodable')), { once: true });
  });
}

/** Plays with sound where the browser allows it without a touch, else without. */
async function play(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') throw new ClipError('error');
    video.muted = true;
    await video.play().catch(() => {
      throw new ClipError('error');
    });
  }
}

/** Calls back after so many refreshes of the screen. */
function afterRefreshes(count: number, done: () => void): void {
  if (count === 0) done();
  else requestAnimationFrame(() => afterRefreshes(count - 1, done));
}

/** A video of few frames a second shows its first one for longer than this many refreshes. */
const FIRST_FRAME_REFRESHES = 6;

/**
 * Resolves when a frame is presented after this call, when the first one has been uncovered for some refreshes, or with the
 * only one of a video that has ended by then.
 */
const presentedFrame = (video: HTMLVideoElement, firstFrame: Promise<void>, signal: AbortSignal): Promise<void> =>
  presented((done) => {
    const onEnd = async () => {
      await firstFrame;
      done();
    };
    // The callback precedes the display of the frame, by more than one refresh on a busy device.
    video.requestVideoFrameCallback(() => afterRefreshes(2, done));
    void firstFrame.then(() => afterRefreshes(FIRST_FRAME_REFRESHES, done));
    video.addEventListener('ended', () => void onEnd(), { signal });
  }, signal);

/** Rejects when the video fails or stalls for too long: a stalled video raises no event. */
const failureOf = (video: HTMLVideoElement, signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    let at = video.currentTime;
    let since = performance.now();
    const watch = window.setInterval(() => {
      if (video.currentTime !== at || document.hidden) {
        at = video.currentTime;
        since = performance.now();
      } else if (performance.now() - since > STALL_MS) reject(new ClipError('stalled'));
      // Something paused it (a media key, the system), and no user is there to resume it.
      if (video.paused && !video.ended) void video.play().catch(() => undefined);
    }, WATCH_MS);
    signal.addEventListener('abort', () => clearInterval(watch), { once: true });
    video.addEventListener('error', () => reject(new ClipError('error')), { signal });
  });

/** Calls back once no more than `leadMs` of the video is left to play. */
function beforeEnd(video: HTMLVideoElement, leadMs: number, signal: AbortSignal, callback: () => void): void {
  const look = () => {
    if (signal.aborted) return;
    const leftMs = (video.duration - video.currentTime) * 1000 - leadMs;
    if (leftMs <= 0) callback();
    // Closer and closer, as playback may wait for its bytes meanwhile; streams of no length only end.
    else if (Number.isFinite(leftMs)) setTimeout(look, Math.max(8, leftMs * 0.8));
  };
  if (leadMs > 0) look();
}

/** Resolves `leadMs` before the video's end. */
const endOf = (video: HTMLVideoElement, leadMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    video.addEventListener('ended', () => resolve(), { signal });
    beforeEnd(video, leadMs, signal, resolve);
    if (video.ended) resolve();
  });

async function prepareVideo(item: ProgrammeItem, source: Source, host: HTMLElement, sound: SoundNow): Promise<Clip> {
  const video = document.createElement('video');
  const over = new AbortController();
  const dispose = () => {
    over.abort();
    video.remove();
    video.pause();
    // Without this the decoder lives until the next garbage collection.
    video.removeAttribute('src');
    video.load();
  };
  video.preload = 'auto';
  video.playsInline = true;
  video.disableRemotePlayback = true;
  applySound(video, sound());
  const firstFrame = new Promise<void>((resolve) => video.requestVideoFrameCallback(() => resolve()));
  video.src = source.url;
  host.prepend(video);
  try {
    await inTime(loaded(video)).catch((error: unknown) => {
      // A slow network may never promise to keep up; with a frame there it is worth trying.
      if (video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) throw error;
    });
    // A codec the browser does not know is silently a video of no size.
    if (video.videoWidth === 0 || video.videoHeight === 0) throw new ClipError('undecodable');
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    item,
    element: video,
    async start() {
      const started = new AbortController();
      const signal = AbortSignal.any([started.signal, over.signal]);
      const frame = presentedFrame(video, firstFrame, signal);
      applySound(video, sound());
      await inTime(play(video));
      await Promise.race([frame, failureOf(video, signal)]).finally(() => started.abort());
    },
    ended: (leadMs) => Promise.race([endOf(video, leadMs, over.signal), failureOf(video, over.signal)]),
    dispose,
  };
}

const PREPARE_FILE: Record<Media, typeof prepareVideo> = { image: prepareImage, video: prepareVideo };

function prepare(item: ProgrammeItem, source: Source, host: HTMLElement, sound: SoundNow): Promise<Clip> {
  switch (item.kind) {
    case 'file':
      return PREPARE_FILE[item.media](item, source, host, sound);
  }
}

/**
 * Loads and decodes an item into `host`, beneath what is there already. Rejects with `ClipError`;
 * `source` is released with the clip, or at once when there is none.
 */
export async function prepareClip(
  item: ProgrammeItem,
  source: Source,
  host: HTMLElement,
  sound: SoundNow,
): Promise<Clip> {
  try {
    const clip = await prepare(item, source, host, sound);
    return {
      ...clip,
      dispose() {
        clip.dispose();
        source.release();
      },
    };
  } catch (error) {
    source.release();
    throw error instanceof ClipError ? error : new ClipError('error');
  }
}
