import type { Envelope, Page } from '@ams/contract';
import { type InfiniteData, QueryClient, type QueryKey, infiniteQueryOptions } from '@tanstack/react-query';
import { unwrap } from './api.ts';
import { LIST_PAGE_SIZE } from './constants.ts';

/**
 * Failures are toasted where they happen and lists offer Retry, so nothing is tried again by itself.
 * `always`: without a network a call fails at once with its reason instead of waiting unseen.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 5_000, gcTime: 10 * 60_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

export interface PageRequest {
  limit: number;
  cursor?: string;
}

/** Query options of a keyset list: `pageQuery(['users', filter], (page) => calls.list({ query: { ...filter, ...page } }))`. */
export const pageQuery = <T>(queryKey: QueryKey, load: (page: PageRequest) => Promise<Envelope<Page<T>>>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => unwrap(load({ limit: LIST_PAGE_SIZE, cursor: pageParam })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.next ?? undefined,
  });

type Pages<T> = InfiniteData<Page<T>, string | undefined>;

const PAGES_REFETCHED_WHOLE = 2;
const ITEMS_REFETCHED_MAX = 50;

/**
 * Brings lists under `queryKey` up to date after the server named changed ids: short lists are
 * fetched again, in long ones only the named rows are replaced, so that a busy installation does
 * not reload thousands of rows a second.
 */
export async function refreshListed<T extends { id: string }>(
  queryKey: QueryKey,
  ids: readonly string[],
  load: (id: string) => Promise<Envelope<T>>,
): Promise<void> {
  const lists = queryClient.getQueriesData<Pages<T>>({ queryKey }).filter(([, data]) => data?.pages !== undefined);
  const isLong = (data: Pages<T> | undefined) => (data?.pages.length ?? 0) > PAGES_REFETCHED_WHOLE;
  for (const [key, data] of lists) if (!isLong(data)) void queryClient.invalidateQueries({ queryKey: key });
  const long = lists.filter(([, data]) => isLong(data));
  const held = new Set(long.flatMap(([, data]) => data?.pages.flatMap((page) => page.items.map((item) => item.id))));
  const wanted = ids.filter((id) => held.has(id)).slice(0, ITEMS_REFETCHED_MAX);
  const answers = await Promise.all(wanted.map((id) => load(id)));
  const fresh = new Map(
    answers.flatMap((answer) => (answer.error === undefined ? [[answer.data.id, answer.data]] : [])),
  );
  if (fresh.size === 0) return;
  for (const [key] of long) {
    queryClient.setQueryData<Pages<T>>(
      key,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.map((item) => fresh.get(item.id) ?? item) })),
        },
    );
  }
}
