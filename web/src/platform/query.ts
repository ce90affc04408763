import type { Envelope, Page } from '@ams/contract';
import {
  type InfiniteData,
  type Query,
  QueryClient,
  type QueryKey,
  type RefetchOptions,
  type RefetchQueryFilters,
  hashKey,
  infiniteQueryOptions,
  onlineManager,
} from '@tanstack/react-query';
import { isApiError, isUnanswered, type Quiet, unwrap } from './api.ts';
import { LIST_PAGE_SIZE } from './constants.ts';
import { session } from './session.ts';
import { pause } from './task.ts';

/**
 * A query that is being fetched for the first time is not begun again when something changed, but its answer may be older
 * than that: it is fetched once more afterwards.
 */
export class LiveQueryClient extends QueryClient {
  readonly #again = new WeakMap<Query, Promise<void>>();

  override async refetchQueries<K extends QueryKey = QueryKey>(
    filters?: RefetchQueryFilters<K>,
    options?: RefetchOptions,
  ): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    const again = first.map((query) => {
      const fetched = this.#again.get(query) ?? this.#fetchAgain(query);
      this.#again.set(query, fetched);
      return fetched;
    });
    await super.refetchQueries(filters, options);
    await Promise.all(again);
  }

  async #fetchAgain(query: Query): Promise<void> {
    const filters = { predicate: (each: Query) => each === query };
    await super.refetchQueries(filters);
    this.#again.delete(query);
    await super.refetchQueries({ ...filters, type: 'active' });
  }
}

/**
 * Failures are toasted where they happen and lists offer Retry, so nothing is tried again by itself.
 * `always`: without a network a call fails at once with its reason instead of waiting unseen. What failed so is fetched
 * again with the network: the stream of live events may have survived, and tells of no gap.
 */
export const queryClient = new LiveQueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true, staleTime: 5_000, gcTime: 10 * 60_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// A request that began without a network may fail only after `refetchOnReconnect`.
onlineManager.subscribe((online) => {
  if (!online) return;
  const underWay = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' });
  for (const query of underWay) query.promise?.catch(() => query.onOnline());
});

// Data of one user are not shown to the next one.
let viewer = session.snapshot().current?.id;
session.subscribe(() => {
  const { signedIn, current } = session.snapshot();
  if (!signedIn || (viewer !== undefined && current?.id !== viewer)) queryClient.clear();
  viewer = current?.id;
});

/** The data of a query that is shown, unless somebody has deleted it meanwhile. */
export const foundIn = <T>({ data, error }: { data: T | undefined; error: Error | null }): T | undefined =>
  isApiError(error, 'NOT_FOUND') ? undefined : data;

export interface PageRequest {
  limit: number;
  cursor?: string;
}

const PAGES_REFETCHED_WHOLE = 2;

const isLong = (data: InfiniteData<unknown> | undefined): boolean => (data?.pages.length ?? 0) > PAGES_REFETCHED_WHOLE;

interface ListQuery {
  state: { data: InfiniteData<unknown> | undefined; isInvalidated: boolean };
}

/** A long list only if it may lack changes. */
const isRefetched = ({ state }: ListQuery): boolean => state.isInvalidated || !isLong(state.data);

/** Query options of a keyset list: `pageQuery(['users', filter], (page) => calls.list({ query: { ...filter, ...page } }))`. */
export const pageQuery = <T>(queryKey: QueryKey, load: (page: PageRequest) => Promise<Envelope<Page<T>>>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => unwrap(load({ limit: LIST_PAGE_SIZE, cursor: pageParam })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.next ?? undefined,
    // Long lists are not loaded again as a whole while they are shown: live events keep their rows up to date.
    refetchOnWindowFocus: false,
    refetchOnReconnect: isRefetched,
  });

type Pages<T> = InfiniteData<Page<T>, string | undefined>;

/** Rows that are asked for at a time, each by a call of its own, and the pause until the next ones. */
const ROWS_AT_ONCE = 50;
const TURN_MS = 1000;

/** Changed ids by the list in which they wait for their turn. */
const waiting = new Map<string, Set<string>>();

/** Has `refresh` called for changed rows of a list after a pause, once for all that come until then. */
export async function refreshLater(
  queryKey: QueryKey,
  ids: readonly string[],
  refresh: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  if (ids.length === 0) return;
  const name = hashKey(queryKey);
  const known = waiting.get(name);
  if (known) return ids.forEach((id) => known.add(id));
  const all = new Set(ids);
  waiting.set(name, all);
  await pause(TURN_MS);
  waiting.delete(name);
  await refresh([...all]);
}

/** Fetches the lists under `queryKey` again as a whole, at once or with the network: no server answered about some rows. */
export const refreshUnanswered = (queryKey: QueryKey): Promise<void> =>
  queryClient.invalidateQueries({ queryKey, refetchType: onlineManager.isOnline() ? 'active' : 'none' });

type Get<T> = Quiet<{ get: (input: { params: { id: string } }) => Promise<Envelope<T>> }>;

type Belongs<T> = (item: T) => boolean;

/**
 * Brings lists under `queryKey` up to date after the server named changed ids: short lists are
 * fetched again, in long ones only the named rows are replaced, so that a busy installation does
 * not reload thousands of rows a second. A row for which `get` answers NOT_FOUND, or that does not belong to the lists any
 * more, is taken out; one that only a filter no longer matches stays where it is, as it is now. Resolves when what is shown
 * is up to date.
 */
export async function refreshListed<T extends { id: string }>(
  queryKey: QueryKey,
  ids: readonly string[],
  calls: Get<T>,
  belongs: Belongs<T> = () => true,
): Promise<void> {
  const lists = queryClient.getQueriesData<Pages<T>>({ queryKey });
  const short = lists.filter(([, data]) => !isLong(data));
  await Promise.all([
    ...short.map(([key]) => queryClient.invalidateQueries({ queryKey: key })),
    refreshRows(queryKey, ids, calls, belongs),
  ]);
}

/** The latest request for each row that is under way: an earlier one, whose answer may be older, counts no more. */
const asked = new Map<string, symbol>();

/** Replaces rows of long lists: some now, more of them in their turn. */
async function refreshRows<T extends { id: string }>(
  queryKey: QueryKey,
  ids: readonly string[],
  calls: Get<T>,
  belongs: Belongs<T>,
): Promise<void> {
  const long = queryClient.getQueriesData<Pages<T>>({ queryKey }).filter(([, data]) => isLong(data));
  const held = new Set(long.flatMap(([, data]) => data?.pages.flatMap((page) => page.items.map((item) => item.id))));
  const wanted = ids.filter((id) => held.has(id));
  void refreshLater(queryKey, wanted.slice(ROWS_AT_ONCE), (rest) => refreshRows(queryKey, rest, calls, belongs));
  const now = wanted.slice(0, ROWS_AT_ONCE);
  const request = Symbol();
  const nameOf = (id: string) => `${id} ${hashKey(queryKey)}`;
  for (const id of now) asked.set(nameOf(id), request);
  const answered = await Promise.all(now.map(async (id) => [id, await calls.get({ params: { id } })] as const));
  const answers = answered.filter(([id]) => asked.get(nameOf(id)) === request);
  for (const [id] of answers) asked.delete(nameOf(id));
  if (answers.some(([, answer]) => isUnanswered(answer))) return refreshUnanswered(queryKey);
  const fresh = new Map(answers.flatMap(([id, answer]) => (answer.error === undefined ? [[id, answer.data]] : [])));
  const gone = new Set(answers.flatMap(([id, answer]) => (answer.error === 'NOT_FOUND' ? [id] : [])));
  if (fresh.size + gone.size === 0) return;
  editListed<T>(queryKey, (items) =>
    items
      .filter(({ id }) => !gone.has(id))
      .map((item) => fresh.get(item.id) ?? item)
      .filter((item) => !fresh.has(item.id) || belongs(item)),
  );
}

/**
 * Edits the rows of lists. A fetch that is under way brings its rows as they were when it began, those of earlier pages
 * included: they are edited once more when it ends.
 */
function editListed<T>(queryKey: QueryKey, edit: (items: T[]) => T[]): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const apply = () => {
      const { isInvalidated, dataUpdatedAt: updatedAt } = query.state;
      queryClient.setQueryData<Pages<T>>(
        query.queryKey,
        (data) => data?.pages && { ...data, pages: data.pages.map((page) => ({ ...page, items: edit(page.items) })) },
        { updatedAt },
      );
      // The other rows are as old as before.
      if (isInvalidated) query.invalidate();
    };
    apply();
    if (query.state.fetchStatus === 'fetching') void query.promise?.then(apply, () => undefined);
  }
}

/** Puts newer rows in the place of those with the same id. */
export function replaceListed(queryKey: QueryKey, rows: readonly { id: string }[]): void {
  const fresh = new Map(rows.map((row) => [row.id, row]));
  editListed<{ id: string }>(queryKey, (items) =>
    items.map((item) => {
      const row = fresh.get(item.id);
      return row ? { ...item, ...row } : item;
    }),
  );
}

/** Takes rows out of the lists under `queryKey`: what was just deleted. */
export function removeListed(queryKey: QueryKey, ids: readonly string[]): void {
  editListed<{ id: string }>(queryKey, (items) => items.filter((item) => !ids.includes(item.id)));
}

/** Fetches lists under `queryKey` again from their first page: after something new, or when a person asks for it. */
export async function restartLists(queryKey: QueryKey): Promise<void> {
  queryClient.setQueriesData<Pages<unknown>>(
    { queryKey },
    (data) => data?.pages && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  );
  await queryClient.invalidateQueries({ queryKey });
}
