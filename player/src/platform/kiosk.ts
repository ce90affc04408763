import type { Log } from './log.ts';

/** Keeps the display from going to sleep for as long as the page is visible. */
export function keepAwake(): void {
  const request = () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    // Refused on an empty battery or by policy; then the device's own settings decide.
    void navigator.wakeLock.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', request);
  request();
}

const UPDATE_EVERY_MS = 3_600_000;

/**
 * Makes the page load without a network. A new version takes over at once and reloads the page. Registered
 * anew every hour and when asked to: that looks for a new version, and brings back what the browser has cleared.
 */
export function keepServiceWorker(log: Log): () => void {
  if (!isSecureContext || !('serviceWorker' in navigator)) return () => undefined;
  const { serviceWorker } = navigator;
  let hadOne = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    // Without one the browser has thrown it away: what comes in its place is no news.
    const { controller } = serviceWorker;
    if (hadOne && controller) location.reload();
    hadOne = controller !== null;
  });
  const register = () => {
    serviceWorker
      .register(`${import.meta.env.BASE_URL}sw.js`)
      .then((registration) => registration.update())
      .catch((error: unknown) => log('info', `service worker: ${String(error)}`));
  };
  register();
  setInterval(register, UPDATE_EVERY_MS);
  return register;
}
