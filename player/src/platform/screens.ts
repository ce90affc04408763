import type { DeviceScreen } from '@ams/contract';
import { type Rotation, turned } from './rotation.ts';

// Window Management (https://www.w3.org/TR/window-management/): Chromium has it, TypeScript's DOM library does not.
interface ScreenDetailed {
  availLeft: number;
  availTop: number;
  availWidth: number;
  availHeight: number;
}
interface ScreenDetails {
  screens: readonly ScreenDetailed[];
  currentScreen: ScreenDetailed;
}
type DetailsOf = () => Promise<ScreenDetails>;

const detailsOf = (): DetailsOf | undefined =>
  'getScreenDetails' in window && typeof window.getScreenDetails === 'function'
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the standard defines its result
      (window.getScreenDetails.bind(window) as DetailsOf)
    : undefined;

/** Whether the desktop extends beyond this screen. */
const isExtended = (): boolean => 'isExtended' in window.screen && window.screen.isExtended === true;

/** This device's screens as people see them from the window on the main one, which is turned; CSS pixels. */
export function screensOf(rotation: Rotation): DeviceScreen[] {
  const { width, height } = window.screen;
  const main = turned({ name: 'main', width, height }, rotation);
  return isExtended() ? [main, { name: 'secondary' }] : [main];
}

/** Whether a person may be offered to open the second screen. */
export const hasSecondScreen = (): boolean => isExtended() && detailsOf() !== undefined;

/**
 * Opens the player on the screen that this window is not on, full screen where the browser allows it. False when
 * there is none, or the browser wants a person's touch or permission first.
 */
export async function openSecondScreen(): Promise<boolean> {
  const ask = detailsOf();
  if (!ask || !isExtended()) return false;
  try {
    const { screens, currentScreen } = await ask();
    const other = screens.find((screen) => screen !== currentScreen);
    if (!other) return false;
    const { availLeft, availTop, availWidth, availHeight } = other;
    const place = `left=${availLeft},top=${availTop},width=${availWidth},height=${availHeight}`;
    return window.open(`${location.pathname}?screen=secondary`, 'ams-secondary', `popup,fullscreen,${place}`) !== null;
  } catch {
    return false;
  }
}

/** Opens it at the start where that was allowed once and for all (a kiosk's policy, an earlier touch). */
export async function openSecondScreenIfAllowed(): Promise<void> {
  if (!hasSecondScreen()) return;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name that the DOM library does not list yet
    const { state } = await navigator.permissions.query({ name: 'window-management' as PermissionName });
    if (state === 'granted') await openSecondScreen();
  } catch {
    // A browser that does not know the permission has no second window to open.
  }
}
