import type { Log } from './log.ts';

/** Keeps the display from going to sleep for as long as the page is visible. */
export function keepAwake(): void {
  const request = () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    // Refused on an empty battery or by policy; then the machine's own settings decide.
    void navigator.wakeLock.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', request);
  request();
}

const UPDATE_EVERY_MS = 3_600_000;

/** Makes the page load without a network. A new version takes over at once and reloads the page. */
export function installServiceWorker(log: Log): void {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const hadOne = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) location.reload();
  });
  void serviceWorker
    .register(`${import.meta.env.BASE_URL}sw.js`)
    .then((registration) => setInterval(() => void registration.update().catch(() => undefined), UPDATE_EVERY_MS))
    .catch((error: unknown) => log('warn', `no service worker: ${String(error)}`));
}

/** This machine's screens as the browser tells them: two when the desktop goes on beyond this one. */
export function screensOf(): { name: 'main' | 'secondary'; width?: number; height?: number }[] {
  const main = { name: 'main' as const, width: window.screen.width, height: window.screen.height };
  const extended = 'isExtended' in window.screen && window.screen.isExtended === true;
  return extended ? [main, { name: 'secondary' }] : [main];
}
