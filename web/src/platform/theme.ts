import { OVERLAY_Z_INDEX, PICKER_OPTION_HEIGHT, PICKER_VISIBLE_OPTIONS, SWIPE_DURATION } from './constants.ts';
import { storage } from './storage.ts';

export const SCHEMES = ['system', 'light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

const isScheme = (value: unknown): value is Scheme => SCHEMES.some((scheme) => scheme === value);

/** The chosen colour scheme; the system's until somebody chooses. */
export function storedScheme(): Scheme {
  const stored = storage.setting('theme');
  return isScheme(stored) ? stored : 'system';
}

/** Shows a scheme; `system` leaves the choice to the browser's media query. */
export function applyScheme(scheme: Scheme): void {
  if (scheme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = scheme;
}

export function chooseScheme(scheme: Scheme): void {
  storage.setSetting('theme', scheme);
  applyScheme(scheme);
}

/** Paper is white: pages are printed in the light scheme. */
export function printLight(): void {
  addEventListener('beforeprint', () => applyScheme('light'));
  addEventListener('afterprint', () => applyScheme(storedScheme()));
}

/** Hands the constants that style sheets obey to them. */
export function applyMeasures(): void {
  const { style } = document.documentElement;
  style.setProperty('--overlay', String(OVERLAY_Z_INDEX));
  style.setProperty('--picker-option', `${PICKER_OPTION_HEIGHT}px`);
  style.setProperty('--picker-height', `${PICKER_OPTION_HEIGHT * PICKER_VISIBLE_OPTIONS}px`);
  style.setProperty('--swipe', `${SWIPE_DURATION}ms`);
}
