/** Storage of the last data for use without a network (platform/offline.ts). */
export const KEPT_CACHE = 'ams-data';

/** Removes it: nobody is signed in any more, or somebody else. Resolves when it is gone. */
export async function forgetKept(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(KEPT_CACHE);
}
