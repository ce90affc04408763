/// <reference lib="webworker" />

// The service worker of the page that checks verification files: it keeps the page, so that it opens without a network,
// and handles nothing else.
declare const self: ServiceWorkerGlobalScope;

const PAGE = '/share/verify';
const CACHE = 'verify-page';
/** A server that has not answered by then counts as out of reach. */
const ANSWER_MS = 5000;

/** The page from the server, or the one that is kept if the server is out of reach or has none. */
async function openPage(): Promise<Response> {
  const cache = await caches.open(CACHE);
  const fresh = await fetch(PAGE, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
  if (fresh?.ok) {
    await cache.put(PAGE, fresh.clone());
    return fresh;
  }
  return (await cache.match(PAGE)) ?? fresh ?? Response.error();
}

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.add(PAGE);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  if (mode === 'navigate' && new URL(url).pathname === PAGE) event.respondWith(openPage());
});

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes it a module, so that `self` may be declared anew
export {};
