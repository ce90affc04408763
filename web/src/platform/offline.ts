import { type DehydratedState, dehydrate, hydrate, type InfiniteData } from '@tanstack/react-query';
import { idle } from './idle.ts';
import { forgetKept, KEPT_CACHE } from './kept.ts';
import { logError } from './log.ts';
import { queryClient } from './query.ts';
import { session } from './session.ts';
import { pause } from './task.ts';

/**
 * The names of the scripts in the page change with every part of the app: what another version has kept is not found, because
 * it may have another shape.
 */
const PLACE = `/last-data?${Array.from(document.scripts, ({ src }) => src).join()}`;
/** After a change the data is kept at most this often. Milliseconds. */
const KEEP_PAUSE = 2000;
/** Pages of a list that are kept: somebody who scrolls through thousands of rows would store all of them again and again. */
const PAGES_KEPT = 2;
/** How often a page looks whether it still waits for data, and how many times at most. Milliseconds. */
const LOOK = 1000;
const LOOKS = 10;
/** A page that is busy for longer is interrupted. Milliseconds. */
const IDLE_LIMIT = 3000;
/** Data that is of no use later. */
const NOT_KEPT = new Set<unknown>(['captcha', 'qr', 'checkregistercode']);

interface Kept {
  /** Owner of the data: other users of this browser do not see it. */
  userId: string;
  state: DehydratedState;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'userId' in value && 'state' in value;

type KeptQuery = DehydratedState['queries'][number];

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pageParams' in data;

function withFirstPages(query: KeptQuery): KeptQuery {
  const { state } = query;
  if (!isPaged(state.data)) return query;
  const [pages, pageParams] = [state.data.pages, state.data.pageParams].map((all) => all.slice(0, PAGES_KEPT));
  return { ...query, state: { ...state, data: { pages, pageParams } } };
}

async function keep(): Promise<void> {
  // Another tab may have ended the session.
  session.check();
  const userId = viewerId();
  if (userId === undefined) return;
  const state = dehydrate(queryClient, {
    shouldDehydrateQuery: (query) => query.state.status === 'success' && !NOT_KEPT.has(query.queryKey[0]),
    shouldDehydrateMutation: () => false,
  });
  state.queries = state.queries.map(withFirstPages);
  const kept: Kept = { userId, state };
  const store = await caches.open(KEPT_CACHE);
  await store.put(PLACE, new Response(JSON.stringify(kept)));
  if (viewerId() !== userId) await forgetKept();
}

/** The signed-in user, as far as known from responses. */
function viewerId(): string | undefined {
  const { signedIn, current } = session.snapshot();
  return signedIn ? current?.id : undefined;
}

async function restore(): Promise<void> {
  const found = await (await caches.open(KEPT_CACHE)).match(PLACE);
  const kept: unknown = await found?.json();
  const { signedIn, current } = session.snapshot();
  if (!isKept(kept) || !signedIn || (current && current.id !== kept.userId)) return forgetKept();
  hydrate(queryClient, kept.state);
  // It is older than the page: a user who reloads expects fresh data.
  await queryClient.invalidateQueries({ refetchType: 'none' });
}

function keepOnChange(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void idle(IDLE_LIMIT)
        .then(keep)
        .catch((error: unknown) => logError('Last data not kept', error));
    }, KEEP_PAUSE);
  });
  session.subscribe(() => {
    if (session.snapshot().signedIn) return;
    clearTimeout(timer);
    timer = undefined;
  });
}

/** The worker fetches all files of the app: not before the files and the data of this page. */
async function startWorker(): Promise<void> {
  let looks = 0;
  do {
    await pause(LOOK);
    looks += 1;
  } while (queryClient.isFetching() > 0 && looks < LOOKS);
  await idle(IDLE_LIMIT);
  await navigator.serviceWorker.register('/sw.js');
}

/**
 * Makes the app open without a network: its files by the service worker, and the last data, which is
 * shown until the server answers. Where the browser has no such storage (no secure context), nothing.
 */
export async function startOffline(): Promise<void> {
  if (!('caches' in window) || !('serviceWorker' in navigator)) return;
  if (import.meta.env.PROD) {
    startWorker().catch((error: unknown) => logError('No service worker', error));
  }
  try {
    await restore();
    keepOnChange();
  } catch (error) {
    logError('Last data not readable', error);
  }
}
