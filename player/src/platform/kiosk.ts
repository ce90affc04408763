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

export interface WorkerPorts {
  log: Log;
  /** Resolves when a change of the version disturbs nobody. */
  goodMoment(): Promise<void>;
  reload(why: string): Promise<void>;
}

const SCRIPT = /<script[^>]* src="([^"]+)"/;

/**
 * Without a service worker the server's page is the newest version. Looks for it every hour and when asked to, and loads
 * it at a good moment.
 */
function keepPage({ log, goodMoment, reload }: WorkerPorts): () => void {
  const own = document.querySelector('script[src]')?.getAttribute('src');
  let waits = false;
  const load = async () => {
    const [, script] = SCRIPT.exec(await (await fetch(location.href, { cache: 'no-store' })).text()) ?? [];
    // A page of a proxy has no script of the player.
    if (waits || script === own || !script?.startsWith(import.meta.env.BASE_URL)) return;
    waits = true;
    try {
      await goodMoment();
      await reload('a new version');
    } finally {
      waits = false;
    }
  };
  const look = () => void load().catch((error: unknown) => log('info', `new version: ${String(error)}`));
  setInterval(look, UPDATE_EVERY_MS);
  return look;
}

/**
 * Makes the page load without a network. A new version takes over, and reloads the page, at a good moment. Registered
 * anew every hour and when asked to: that looks for a new version, and brings back what the browser has cleared.
 */
export function keepServiceWorker(page: WorkerPorts): () => void {
  if (!isSecureContext || !('serviceWorker' in navigator)) return keepPage(page);
  const { log, goodMoment, reload } = page;
  const { serviceWorker } = navigator;
  let hadOne = serviceWorker.controller !== null;
  /** It is this window's good moment; others in the same browser have theirs. */
  let isGood = false;
  const takeOver = async (worker: Pick<ServiceWorker, 'postMessage'>) => {
    await goodMoment();
    isGood = true;
    worker.postMessage({ type: 'takeOver' });
  };
  serviceWorker.addEventListener('message', ({ data, ports, source }: MessageEvent<{ type: string } | null>) => {
    if (data?.type !== 'newVersion' || !(source instanceof ServiceWorker)) return;
    ports[0]?.postMessage('waits');
    void takeOver(source);
  });
  const change = async () => {
    // Without one the browser has thrown it away: what comes in its place is no news.
    const { controller } = serviceWorker;
    const isNew = hadOne && controller !== null;
    hadOne = controller !== null;
    if (!isNew) return;
    if (!isGood) await goodMoment();
    await reload('a new version');
  };
  serviceWorker.addEventListener('controllerchange', () => void change());
  const register = () => {
    serviceWorker
      .register(`${import.meta.env.BASE_URL}sw.js`)
      .then(async (registration) => {
        // Left waiting by a page that was closed before its good moment.
        if (registration.waiting) await takeOver(registration.waiting);
        return registration.update();
      })
      .catch((error: unknown) => log('info', `service worker: ${String(error)}`));
  };
  register();
  setInterval(register, UPDATE_EVERY_MS);
  return register;
}
