import type { Log } from '../platform/log.ts';
import { keepFrame } from '../screens/held.ts';

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
  await keepFrame().catch((error: unknown) => log('warn', `last frame: ${String(error)}`));
  location.reload();
}
