/** Storage of the last data for use without a network (platform/offline.ts). */
export const KEPT_CACHE = 'ams-data';

/** Removes it after a log-out or a change of account. Resolves when it is removed. */
export async function forgetKept(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(KEPT_CACHE);
}
