import type { Envelope, Page } from '@ams/contract';
import { InfiniteQueryObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { Quiet } from './api.ts';
import { LiveQueryClient, pageQuery, queryClient, refreshListed, removeListed } from './query.ts';

/** Answers of a server in the order of the calls; each is given by the test. */
function server() {
  const calls: PromiseWithResolvers<string>[] = [];
  return {
    calls,
    queryFn: () => {
      const call = Promise.withResolvers<string>();
      calls.push(call);
      return call.promise;
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

test('what changes while it is fetched for the first time is fetched once more', async () => {
  const client = new LiveQueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const { calls, queryFn } = server();
  const other = server();
  const shown = new QueryObserver(client, { queryKey: ['device', 1], queryFn });
  const stops = [
    shown.subscribe(() => undefined),
    new QueryObserver(client, { queryKey: ['file'], queryFn: other.queryFn }).subscribe(() => undefined),
  ];
  void client.invalidateQueries({ queryKey: ['device'] });
  const heard = client.invalidateQueries({ queryKey: ['device'] });
  await turn();
  expect(calls).toHaveLength(1);
  calls[0]?.resolve('before the change');
  await turn();
  expect(calls).toHaveLength(2);
  calls[1]?.resolve('after it');
  await heard;
  expect(shown.getCurrentResult().data).toBe('after it');
  expect([calls.length, other.calls.length]).toEqual([2, 1]);
  for (const stop of stops) stop();
});

test('what failed the first time is fetched once more, too, but not when nothing shows it any more', async () => {
  const client = new LiveQueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const { calls, queryFn } = server();
  const gone = server();
  const shown = new QueryObserver(client, { queryKey: ['device', 1], queryFn });
  const stop = shown.subscribe(() => undefined);
  const leave = new QueryObserver(client, { queryKey: ['device', 2], queryFn: gone.queryFn }).subscribe(
    () => undefined,
  );
  void client.invalidateQueries();
  leave();
  calls[0]?.reject(new Error('no answer'));
  gone.calls[0]?.resolve('left');
  await turn();
  calls[1]?.resolve('after it');
  await turn();
  expect(shown.getCurrentResult().data).toBe('after it');
  expect([calls.length, gone.calls.length]).toEqual([2, 1]);
  stop();
});

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

test('a request that began without a network and fails when the network is back is sent again', async () => {
  const { calls, queryFn } = server();
  const shown = new QueryObserver(queryClient, { queryKey: ['device', 1], queryFn });
  const stop = shown.subscribe(() => undefined);
  queryClient.mount();
  calls[0]?.resolve('before the change');
  await turn();
  onlineManager.setOnline(false);
  void queryClient.invalidateQueries();
  onlineManager.setOnline(true);
  await turn();
  calls[1]?.reject(new Error('no network'));
  await turn();
  calls[2]?.resolve('after it');
  await turn();
  expect(shown.getCurrentResult().data).toBe('after it');
  expect(calls).toHaveLength(3);
  queryClient.unmount();
  stop();
});

interface Device {
  id: string;
  online: boolean;
}

const device = (id: string, online = true): Device => ({ id, online });
const ok = <T>(data: T): Envelope<T> => ({ code: 200, message: 'ok', data });

/** A list of three pages, of which the fourth is under way; `answer` brings it. */
async function listWithPageUnderWay() {
  const fourth = Promise.withResolvers<Envelope<Page<Device>>>();
  const key = ['devices', 'list'];
  const query = pageQuery<Device>(key, async ({ cursor = '1' }) =>
    cursor === '4' ? fourth.promise : ok({ items: [device(cursor)], next: String(Number(cursor) + 1) }),
  );
  const list = new InfiniteQueryObserver(queryClient, query);
  const stop = list.subscribe(() => undefined);
  await list.refetch();
  await list.fetchNextPage();
  await list.fetchNextPage();
  const more = list.fetchNextPage();
  const items = () => list.getCurrentResult().data?.pages.flatMap((page) => page.items);
  const answer = async () => {
    fourth.resolve(ok({ items: [device('4')], next: null }));
    await more;
    await turn();
    stop();
  };
  return { key, items, answer };
}

test('a row that changes while the next page of its list is under way stays as it is now', async () => {
  const { key, items, answer } = await listWithPageUnderWay();
  const quiet = { get: async () => ok(device('2', false)) };
  await refreshListed<Device>(key, ['2'], quiet as Quiet<typeof quiet>);
  expect(items()?.[1]).toEqual(device('2', false));
  await answer();
  expect(items()).toEqual([device('1'), device('2', false), device('3'), device('4')]);
});

test('of two answers about a row, the one that was asked for last counts, whichever comes first', async () => {
  const { key, items, answer } = await listWithPageUnderWay();
  const first = Promise.withResolvers<Envelope<Device>>();
  const asked = [first.promise, Promise.resolve(ok(device('2', false)))];
  const quiet = { get: async () => asked.shift() ?? ok(device('2')) };
  const earlier = refreshListed<Device>(key, ['2'], quiet as Quiet<typeof quiet>);
  await refreshListed<Device>(key, ['2'], quiet as Quiet<typeof quiet>);
  first.resolve(ok(device('2', true)));
  await earlier;
  await answer();
  expect(items()?.[1]).toEqual(device('2', false));
});

test('a row that is deleted while the next page of its list is under way does not come back', async () => {
  const { key, items, answer } = await listWithPageUnderWay();
  removeListed(key, ['2']);
  await answer();
  expect(items()).toEqual([device('1'), device('3'), device('4')]);
});

test('a long list that was left is fetched again when it is shown again', async () => {
  let changed = false;
  const query = pageQuery<Device>(['devices', 'list'], async ({ cursor = '1' }) =>
    ok({ items: [device(cursor, !changed)], next: cursor === '3' ? null : String(Number(cursor) + 1) }),
  );
  const list = new InfiniteQueryObserver(queryClient, query);
  const leave = list.subscribe(() => undefined);
  await list.refetch();
  await list.fetchNextPage();
  await list.fetchNextPage();
  leave();
  changed = true;
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 60_000);
  const stop = list.subscribe(() => undefined);
  await vi.waitFor(() =>
    expect(list.getCurrentResult().data?.pages.flatMap((page) => page.items)).toEqual([
      device('1', false),
      device('2', false),
      device('3', false),
    ]),
  );
  stop();
});

test('in a long list, every row of which the server says that it changed is brought up to date', async () => {
  vi.useFakeTimers();
  const key = ['devices', 'list'];
  const query = pageQuery<Device>(key, async ({ cursor = '1' }) => {
    const items = Array.from({ length: 50 }, (_, index) => device(`${cursor}.${index}`));
    return ok({ items, next: cursor === '3' ? null : String(Number(cursor) + 1) });
  });
  const list = new InfiniteQueryObserver(queryClient, query);
  const stop = list.subscribe(() => undefined);
  await list.refetch();
  await list.fetchNextPage();
  await list.fetchNextPage();
  const items = () => list.getCurrentResult().data?.pages.flatMap((page) => page.items) ?? [];
  const get = vi.fn(async ({ params }: { params: { id: string } }) => ok(device(params.id, false)));
  const quiet = { get };
  const ids = items().map(({ id }) => id);
  await refreshListed<Device>(key, [...ids, 'elsewhere'], quiet as Quiet<typeof quiet>);
  // Not all of them at once.
  expect(get).toHaveBeenCalledTimes(50);
  await refreshListed<Device>(key, ids.slice(100), quiet as Quiet<typeof quiet>);
  await vi.advanceTimersByTimeAsync(5000);
  expect(items().filter(({ online }) => online)).toEqual([]);
  expect(get.mock.calls.length).toBeLessThanOrEqual(200);
  vi.useRealTimers();
  stop();
});
