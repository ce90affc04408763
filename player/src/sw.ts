/// <reference lib="webworker" />

// The service worker: keeps the player's own files, so that the page starts without a network.
// Media and calls are none of its business.
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const entries = self.__WB_MANIFEST;
const base = new URL('./', self.location.href);
const version = entries.map(({ url, revision }) => `${url}@${revision ?? ''}`).join('|');
const hash = Array.from(version).reduce((h, c) => (Math.imul(h, 31) + (c.codePointAt(0) ?? 0)) >>> 0, 7);
const CACHE = `player-${hash.toString(16)}`;
// The build lists the icon twice.
const known = new Set(entries.map(({ url }) => new URL(url, base).pathname));
const PAGE = new URL('index.html', base).pathname;

/** Fetches a file of this version: a proxy may answer with a page of its own. */
async function fetchFile(path: string): Promise<Response> {
  const response = await fetch(new Request(new URL(path, base), { cache: 'reload' }));
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (!response.ok || isPage !== (path === PAGE)) throw new Error(`${path}: ${response.status}`);
  return response;
}

/** Whether a page is of this version: during an update, a process that serves another one may have answered. */
const isOwn = (html: string): boolean =>
  [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].some(([, src = '']) => known.has(src));

self.addEventListener('install', (event) => {
  const fetchAll = async () => {
    // All of it first: the cache may be the one from which the present version starts.
    const files = await Promise.all([...known].map(async (path) => ({ path, response: await fetchFile(path) })));
    const page = files.find(({ path }) => path === PAGE);
    if (!isOwn((await page?.response.clone().text()) ?? '')) throw new Error('the page of another version');
    const cache = await caches.open(CACHE);
    for (const { path, response } of files) await cache.put(path, response);
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
  const path = page ? PAGE : url.pathname;
  if (!known.has(path)) return;
  const serve = async () => (await caches.match(new URL(path, base).href)) ?? fetch(event.request);
  event.respondWith(serve());
});

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes it a module, so that `self` may be declared anew
export {};
