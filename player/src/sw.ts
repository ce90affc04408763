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
    await self.skipWaiting();
  };
  event.waitUntil(fetchAll());
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
