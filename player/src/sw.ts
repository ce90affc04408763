/// <reference lib="webworker" />

// The service worker: keeps the player's own files, so that the page starts without a network.
// Media and calls are none of its business.
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

// The build lists the icon twice, and `addAll` refuses that.
const entries = [...new Map(self.__WB_MANIFEST.map((entry) => [entry.url, entry])).values()];
const base = new URL('./', self.location.href);
const version = entries.map(({ url, revision }) => `${url}@${revision ?? ''}`).join('|');
const hash = Array.from(version).reduce((h, c) => (Math.imul(h, 31) + (c.codePointAt(0) ?? 0)) >>> 0, 7);
const CACHE = `player-${hash.toString(16)}`;
const known = new Set(entries.map(({ url }) => new URL(url, base).pathname));

self.addEventListener('install', (event) => {
  const fetchAll = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(entries.map(({ url }) => new Request(new URL(url, base), { cache: 'reload' })));
    if (!(await pagesWait())) await self.skipWaiting();
  };
  event.waitUntil(fetchAll());
});

/** A page that does not answer within this time is of a version that takes over at once. */
const ANSWER_MS = 5000;

/** Asks a page to choose the moment of the change; whether it will. */
const asks = (page: Client): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(true));
    port1.start();
    setTimeout(() => resolve(false), ANSWER_MS);
    page.postMessage({ type: 'newVersion' }, [port2]);
  });

/** Whether every open page of the previous version can request the takeover. */
async function pagesWait(): Promise<boolean> {
  if (!self.registration.active) return false;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const own = pages.filter(({ url }) => new URL(url).pathname.startsWith(base.pathname));
  return own.length > 0 && (await Promise.all(own.map(asks))).every(Boolean);
}

self.addEventListener('message', (event) => {
  if (event.data?.type === 'takeOver') event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith('player-') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return;
  const page = event.request.mode === 'navigate' && url.pathname.startsWith(base.pathname);
  const path = page ? new URL('index.html', base).pathname : url.pathname;
  if (!known.has(path)) return;
  const serve = async () => (await caches.match(new URL(path, base).href)) ?? fetch(event.request);
  event.respondWith(serve());
});

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes it a module, so that `self` may be declared anew
export {};
