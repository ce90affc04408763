import type { Log } from '../platform/log.ts';
import { keepFrame } from '../screens/held.ts';

const AGAIN_MS = 15_000;
/** A frame that cannot be drawn holds up no reload. */
const FRAME_MS = 5000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether the page would come back: from the service worker's files, else from the server. */
async function comesBack(): Promise<boolean> {
  if (navigator.serviceWorker?.controller) return true;
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Reloads the page, unless that would show the browser's error page. The last frame stays until it plays again. */
export async function reload(log: Log, why: string): Promise<void> {
  const goes = await comesBack();
  log(goes ? 'info' : 'warn', goes ? `reload: ${why}` : `no reload without the server: ${why}`);
  if (!goes) return;
  const kept = keepFrame().catch((error: unknown) => log('warn', `last frame: ${String(error)}`));
  await Promise.race([kept, pause(FRAME_MS)]);
  location.reload();
}

/**
 * Reloads a page that cannot continue, and tries until it goes. What is broken for good does not make the page flicker: it
 * stays for 15 s.
 */
export async function startAgain(log: Log, why: string): Promise<void> {
  await pause(Math.max(0, AGAIN_MS - performance.now()));
  for (;;) {
    await reload(log, why);
    await pause(AGAIN_MS);
  }
}
