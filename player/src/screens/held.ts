import { captureScreen } from './capture.ts';

const KEY = 'ams-player-frame';
/** Pixels of most screens, so that the picture is as sharp as the frame it replaces. */
const LONGEST = 1920;
/** A frame that is older belongs to another day of this window. */
const FRESH_MS = 60_000;

interface HeldFrame {
  at: number;
  rotate: string;
  picture: string;
}

const toAddress = (picture: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('unreadable')));
    reader.readAsDataURL(picture);
  });

/** Keeps the frame on screen for the page that follows a reload. */
export async function keepFrame(): Promise<void> {
  const { dataset } = document.documentElement;
  if (dataset['state'] !== 'playing') return;
  const picture = await captureScreen(LONGEST);
  if (!picture) return;
  const frame: HeldFrame = { at: Date.now(), rotate: dataset['rotate'] ?? '0', picture: await toAddress(picture) };
  sessionStorage.setItem(KEY, JSON.stringify(frame));
}

/** Kept until something is on screen: a page that starts may be reloaded at once. */
function keptFrame(): HeldFrame | undefined {
  try {
    const frame: HeldFrame | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    return frame && Date.now() - frame.at < FRESH_MS ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** Shows the last frame of the page before this one, above the stage and below all else. */
export function showHeldFrame(): void {
  const frame = keptFrame();
  const stage = document.querySelector('#stage');
  if (!frame || !stage) return;
  document.documentElement.dataset['rotate'] = frame.rotate;
  stage.after(Object.assign(document.createElement('img'), { id: 'held', alt: '', src: frame.picture }));
}

/** Whether the last frame of the previous page is on screen. */
export const isFrameHeld = (): boolean => document.querySelector('#held') !== null;

/** Removes the held frame, because something else is on screen. */
export function dropHeldFrame(): void {
  const held = document.querySelector('#held');
  if (!held) return;
  held.remove();
  sessionStorage.removeItem(KEY);
}
