import { contentOf, type Media, type ProgrammeItem } from '@ams/contract';
import { type Clip, ClipError, type SkipReason, type Sound, type Source, prepareClip, uncover } from './clip.ts';

/** Dependencies of playback. */
export interface PlaybackPorts {
  /** Undefined when the file is not there. */
  open(sha256: string): Promise<Source | undefined>;
  onSkip(item: ProgrammeItem, reason: SkipReason): void;
  /** Of what begins now. */
  sound(): Sound;
}

/** The continuation of a region after an item. */
export type Following = { kind: 'item'; item: ProgrammeItem } | { kind: 'stop' } | { kind: 'blocked' };

export interface RegionHost extends PlaybackPorts {
  /** The next item; has no side effects. */
  peek(): Following;
  /** Goes on to what follows. */
  advance(): Following;
  /** An item's first frame is on screen. */
  onShown(item: ProgrammeItem): void;
  /** An item ran to its end, `durationMs` after its first frame. */
  onPlayed(item: ProgrammeItem, durationMs: number): void;
}

/** When nothing of a region can be shown it looks again after this. */
const BLOCKED_MS = 5000;

/** Decodes an item; undefined (and reported) when it cannot be shown. */
export async function tryClip(item: ProgrammeItem, host: HTMLElement, ports: PlaybackPorts): Promise<Clip | undefined> {
  const source = await ports.open(contentOf(item));
  if (!source) {
    ports.onSkip(item, 'missing');
    return undefined;
  }
  try {
    return await prepareClip(item, source, host, ports.sound);
  } catch (error) {
    ports.onSkip(item, error instanceof ClipError ? error.reason : 'error');
    return undefined;
  }
}

/**
 * Resolves when the work has settled or the signal aborts. Nothing stays on the signal, as it would by racing with
 * one promise of its end: a layer may live for weeks.
 */
const untilAborted = (work: Promise<unknown>, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', end);
    work.then(end, end);
  });

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The clip that follows, decoding while the current one plays; items that fail are passed over at once. */
interface Ahead {
  clip: Promise<Clip | undefined>;
  cancel(): void;
}

function lookAhead(element: HTMLElement, host: RegionHost): Ahead {
  const cancelling = new AbortController();
  const search = async (): Promise<Clip | undefined> => {
    for (let next = host.peek(); next.kind === 'item' && !cancelling.signal.aborted; next = host.peek()) {
      const clip = await tryClip(next.item, element, host);
      if (clip && cancelling.signal.aborted) clip.dispose();
      else if (clip) return clip;
    }
    return undefined;
  };
  const clip = search();
  return {
    clip,
    cancel() {
      cancelling.abort();
      void clip.then((found) => found?.dispose());
    },
  };
}

/** The next clip: the prepared one, unless the order has changed. */
async function clipFor(
  item: ProgrammeItem,
  ahead: Ahead | undefined,
  element: HTMLElement,
  host: RegionHost,
): Promise<Clip | undefined> {
  const ready = await ahead?.clip;
  if (ready && contentOf(ready.item) === contentOf(item)) return ready;
  ready?.dispose();
  return tryClip(item, element, host);
}

function mediaOf(item: ProgrammeItem): Media {
  switch (item.kind) {
    case 'file':
      return item.media;
  }
}

/** How long clips of this region lately took from `start` to their first frame, milliseconds: pictures are quicker. */
type Pace = Record<Media, number>;

/** A start that took longer was an exception: the device was busy. */
const LEAD_MAX_MS = 250;

/** How early the next item has to be prepared. The first item of another programme is not known here. */
function leadTo(next: Following, pace: Pace): number {
  if (next.kind === 'item') return pace[mediaOf(next.item)];
  const all = Object.values(pace);
  return all.reduce((sum, ms) => sum + ms, 0) / all.length;
}

/** Puts a clip on screen and lets it run; the next one is asked for as early as starting lately took. */
async function runClip(clip: Clip, before: Clip | undefined, pace: Pace, host: RegionHost, onStarted: () => void) {
  try {
    const askedAt = performance.now();
    if (before) uncover(before.element);
    await clip.start();
    const startedAt = performance.now();
    const media = mediaOf(clip.item);
    pace[media] = Math.min(LEAD_MAX_MS, (pace[media] + startedAt - askedAt) / 2);
    clip.element.classList.add('shown');
    clip.element.dataset['sha256'] = contentOf(clip.item);
    before?.dispose();
    // First, because it decides what follows.
    host.onShown(clip.item);
    onStarted();
    const leadMs = leadTo(host.peek(), pace);
    await clip.ended(leadMs);
    host.onPlayed(clip.item, Math.round(performance.now() - startedAt + leadMs));
  } catch (error) {
    host.onSkip(clip.item, error instanceof ClipError ? error.reason : 'error');
  }
}

/**
 * Plays a region until its host stops it or the signal aborts. The last frame stays on screen until
 * the first of the next item, and at the end until the whole element is taken away.
 */
export async function playRegion(
  element: HTMLElement,
  first: Clip | undefined,
  host: RegionHost,
  signal: AbortSignal,
): Promise<void> {
  const pace: Pace = { image: 0, video: 0 };
  let ahead: Ahead | undefined;
  let shown: Clip | undefined;
  let clip = first;
  while (!signal.aborted) {
    if (clip) {
      const starting = clip;
      const before = shown;
      const started = () => {
        shown = starting;
        ahead = lookAhead(element, host);
      };
      await untilAborted(runClip(starting, before, pace, host, started), signal);
      if (shown !== starting) starting.dispose();
    }
    if (signal.aborted) break;
    const next = host.advance();
    if (next.kind === 'stop') break;
    if (next.kind === 'blocked') await untilAborted(wait(BLOCKED_MS), signal);
    clip = next.kind === 'item' ? await clipFor(next.item, ahead, element, host) : undefined;
    ahead = undefined;
  }
  ahead?.cancel();
  await aborted(signal);
  if (clip !== shown) clip?.dispose();
  shown?.dispose();
}
