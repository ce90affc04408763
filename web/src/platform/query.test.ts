import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { LiveQueryClient } from './query.ts';

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
