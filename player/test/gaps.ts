import type { Page } from '@playwright/test';

/** One change from an item to the next, in milliseconds, as presented on the screen. */
export interface Change {
  from: 'image' | 'video';
  to: 'image' | 'video';
  /** How much too long the last frame was shown; below 0: it was cut short. */
  lateMs: number;
  /** Media time of the next video's frame that was seen first; 0 for pictures. */
  skippedMs: number;
}

export interface Gaps {
  changes: Change[];
  /** Display frames without any picture of the playlist on screen, of so many looked at. */
  empty: number;
  frames: number;
}

/** The `presented` of each video of the stage, as reported by the browser (requestVideoFrameCallback). */
interface Watched {
  gaps: Gaps;
}

declare global {
  interface Window {
    watched?: Watched;
  }
}

/**
 * Watches a page's stage from its beginning. The playlist's pictures and videos must fill their place and never be
 * black, and must last as long as in `durations` (milliseconds by SHA-256).
 */
export async function watchGaps(page: Page, durations: Record<string, number>): Promise<void> {
  await page.addInitScript((lengths: Record<string, number>) => {
    const gaps: Gaps = { changes: [], empty: 0, frames: 0 };
    window.watched = { gaps };
    /** Of each element: when it was first presented, and its newest frame. */
    const shownAt = new WeakMap<Element, number>();
    const frames = new WeakMap<Element, { display: number; media: number }>();
    let before: HTMLElement | undefined;

    const follow = (video: HTMLVideoElement) => {
      const onFrame = (_now: number, { expectedDisplayTime, mediaTime }: VideoFrameCallbackMetadata) => {
        frames.set(video, { display: expectedDisplayTime, media: mediaTime * 1000 });
        video.requestVideoFrameCallback(onFrame);
      };
      video.requestVideoFrameCallback(onFrame);
    };

    const kindOf = (element: Element) => (element instanceof HTMLVideoElement ? 'video' : 'image');

    /** When the last frame of an element should be replaced. */
    const dueOf = (element: HTMLElement): number | undefined => {
      const length = lengths[element.dataset['sha256'] ?? ''];
      const frame = frames.get(element);
      const since = shownAt.get(element);
      if (length === undefined || since === undefined) return undefined;
      if (element instanceof HTMLVideoElement) return frame && frame.display + (length - frame.media);
      return since + length;
    };

    const canvas = document.createElement('canvas');
    canvas.width = 1;
    canvas.height = 1;
    const context = canvas.getContext('2d', { willReadFrequently: true });

    const isEmpty = (element: HTMLVideoElement | HTMLImageElement): boolean => {
      if (!context) return true;
      context.clearRect(0, 0, 1, 1);
      context.drawImage(element, 0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
      return red + green + blue < 60;
    };

    const look = (now: number) => {
      requestAnimationFrame(look);
      const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      const media = top instanceof HTMLVideoElement || top instanceof HTMLImageElement ? top : undefined;
      if (!media && !before) return;
      gaps.frames += 1;
      if (!media || isEmpty(media)) gaps.empty += 1;
      if (!media || media === before) return;
      shownAt.set(media, now);
      const due = before && dueOf(before);
      if (before && due !== undefined) {
        const seen = frames.get(media);
        const skippedMs = media instanceof HTMLVideoElement ? (seen?.media ?? 0) : 0;
        gaps.changes.push({ from: kindOf(before), to: kindOf(media), lateMs: now - due, skippedMs });
      }
      before = media;
    };

    new MutationObserver((records) => {
      for (const record of records) {
        for (const node of record.addedNodes) if (node instanceof HTMLVideoElement) follow(node);
      }
    }).observe(document, { childList: true, subtree: true });
    requestAnimationFrame(look);
  }, durations);
}

/** Waits for this many changes and returns all observations. */
export async function gapsOf(page: Page, changes: number, timeout: number): Promise<Gaps> {
  await page.waitForFunction((count) => (window.watched?.gaps.changes.length ?? 0) >= count, changes, { timeout });
  return page.evaluate(() => window.watched?.gaps ?? { changes: [], empty: 0, frames: 0 });
}
