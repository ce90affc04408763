import {
  type Device,
  EXPIRY_WARNING_DAYS,
  type Expiry,
  type NowPlaying,
  PLAYING_STALE_SECONDS,
  type Screen,
  expiryState,
} from '@ams/contract';

/** How far a device is with what it should hold. `percent` is whole and below 100 until it is done. */
export type Content =
  | { state: 'done' }
  | { state: 'waiting' }
  | { state: 'downloading'; percent: number; doneBytes: number; totalBytes: number }
  | { state: 'failed'; reason: string };

export function contentOf({ download }: Pick<Device, 'download'>): Content {
  const { state, doneBytes, totalBytes, reason } = download;
  if (state === 'done') return { state: 'done' };
  if (reason) return { state: 'failed', reason };
  if (totalBytes === 0 || doneBytes === 0) return { state: 'waiting' };
  return {
    state: 'downloading',
    percent: Math.min(99, Math.floor((doneBytes / totalBytes) * 100)),
    doneBytes,
    totalBytes,
  };
}

/**
 * What a screen shows by the device's own word: `stale` when that word is over 20 seconds old and the
 * device gives no sign of life, `unknown` when it never gave one.
 */
export type Shown =
  | { state: 'playing' | 'stale'; now: NowPlaying; at: string }
  | { state: 'nothing'; at: string }
  | { state: 'unknown' };

/** `now` in milliseconds since 1970. */
export function shownOn(device: Pick<Device, 'playing'>, screen: Screen, now: number): Shown {
  const { at, live } = device.playing;
  const shown = device.playing[screen];
  if (!at) return { state: 'unknown' };
  const stale = !live && now - Date.parse(at) > PLAYING_STALE_SECONDS * 1000;
  if (shown?.releaseId) return { state: stale ? 'stale' : 'playing', now: shown, at };
  return stale ? { state: 'unknown' } : { state: 'nothing', at };
}

/** The screens of a device; without a report of screens, those that it reports content of. */
export const screenNames = ({ screens, playing }: Pick<Device, 'screens' | 'playing'>): Screen[] =>
  screens.length > 1 || (screens.length === 0 && playing.secondary) ? ['main', 'secondary'] : ['main'];

/** By the calendar of the device's own time zone; `now` in milliseconds since 1970. */
export const expiryOf = (
  { expiresAt, timeZone, expired }: Pick<Device, 'expiresAt' | 'timeZone' | 'expired'>,
  now: number,
): Expiry => (expired ? 'expired' : expiryState(expiresAt, timeZone, now, EXPIRY_WARNING_DAYS));
