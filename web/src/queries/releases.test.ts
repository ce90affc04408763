import type { Call, Envelope } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { liveReleases, refreshReleaseDevices, releaseDevicesQuery, undoOfWithdrawal } from './releases.ts';

afterEach(() => void vi.restoreAllMocks());

/** Calls that got this answer instead of one of the server. */
function answered(answer: (call: Call) => Envelope<unknown>): Call[] {
  const calls: Call[] = [];
  vi.spyOn(api, 'transport').mockImplementation((call) => {
    calls.push(call);
    return Promise.resolve(answer(call));
  });
  return calls;
}

const LOST = { code: 0, error: 'NETWORK', message: 'Network Error' } as const;

test('the releases of an ad that could not be listed are not taken for none', async () => {
  const calls = answered(() => LOST);
  expect(await liveReleases('0198a000-0000-7000-8000-000000000001')).toBeUndefined();
  expect(calls.map(({ method }) => method)).toEqual(['GET']);
});

test('the withdrawal of a release can be undone, except for one of a campaign or takeover', async () => {
  const id = '0198a000-0000-7000-8000-000000000002';
  const plain = { id, campaignId: null, priority: 'normal' as const };
  const calls = answered(() => LOST);
  expect(await undoOfWithdrawal([plain])?.()).toBe(false);
  expect(calls.map(({ method, url }) => `${method} ${url}`)).toContain(`POST /api/releases/${id}/restore`);
  expect(undoOfWithdrawal([plain, { ...plain, campaignId: id }])).toBeUndefined();
  expect(undoOfWithdrawal([{ ...plain, priority: 'takeover' }])).toBeUndefined();
});

test('in a long list of the devices of a release, all that changed are shown as they are now, and none that left', async () => {
  vi.useFakeTimers();
  const id = '0198a000-0000-7000-8000-000000000003';
  const row = (mac: string, doneBytes: number) => ({ id: `device ${mac}`, mac, state: 'downloading', doneBytes });
  const { queryKey } = releaseDevicesQuery(id, 'downloading');
  const macs = ['A', 'B', 'C', 'D', 'E'];
  queryClient.setQueryData([...queryKey], {
    pages: macs.map((mac) => ({ items: [row(mac, 1)], next: mac })),
    pageParams: [undefined, 'A', 'B', 'C', 'D'],
  });
  const calls = answered(({ url }) => {
    const cursor = new URLSearchParams(url.split('?')[1]).get('cursor');
    // B is done: the page that began with it begins with the next one.
    const mac = cursor === 'A' ? 'C' : (macs[macs.indexOf(cursor ?? '') + 1] ?? '');
    return { code: 200, message: 'ok', data: { items: [row(mac, 2)], next: mac } };
  });
  await refreshReleaseDevices(
    id,
    'downloading',
    macs.map((mac) => `device ${mac}`),
  );
  expect(calls).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(2000);
  const held = queryClient.getQueryData<{ pages: { items: unknown[] }[] }>(queryKey);
  expect(held?.pages.flatMap(({ items }) => items)).toEqual(['A', 'C', 'D', 'E'].map((mac) => row(mac, 2)));
  vi.useRealTimers();
  queryClient.clear();
});

test('a long list of the devices of a release is out of date when nothing answers about a part of it', async () => {
  const id = '0198a000-0000-7000-8000-000000000004';
  const { queryKey } = releaseDevicesQuery(id, 'downloading');
  const macs = ['A', 'B', 'C'];
  queryClient.setQueryData([...queryKey], {
    pages: macs.map((mac) => ({ items: [{ id: `device ${mac}`, mac }], next: mac })),
    pageParams: [undefined, 'A', 'B'],
  });
  answered(() => LOST);
  await refreshReleaseDevices(id, 'downloading', ['device B']);
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  queryClient.clear();
});
