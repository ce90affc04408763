import type { Call, Envelope } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { approveCampaign, campaignRequestsQuery, campaignsQuery, refreshCampaigns } from './campaigns.ts';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

const NAMES = ['A', 'B', 'C', 'D'];
const row = (id: string, state = 'requested') => ({ id, state });

/** Three long lists of campaigns that are requested, and a server on which the second one was approved. */
function shown() {
  const keys = [campaignsQuery({}).queryKey, campaignsQuery({ short: true }).queryKey, campaignRequestsQuery.queryKey];
  const pages = { pages: NAMES.map((id) => ({ items: [row(id)], next: id })), pageParams: [undefined, 'A', 'B', 'C'] };
  for (const key of keys) queryClient.setQueryData([...key], pages);
  const urls: string[] = [];
  vi.spyOn(api, 'transport').mockImplementation(({ url }: Call): Promise<Envelope<unknown>> => {
    urls.push(url);
    return Promise.resolve({ code: 200, message: 'ok', data: row('B', 'booked') });
  });
  const rowsOf = () =>
    keys.map((key) =>
      queryClient.getQueryData<typeof pages>([...key])?.pages.flatMap(({ items }) => items.map((item) => item.state)),
    );
  return { urls, rowsOf };
}

const BOOKED = ['requested', 'booked', 'requested', 'requested'];
const AFTERWARDS = [BOOKED, BOOKED, ['requested', 'requested', 'requested']];

test('long lists show the campaigns that changed as they are now, without being loaded as a whole', async () => {
  const { urls, rowsOf } = shown();
  await refreshCampaigns(['B', 'elsewhere']);
  expect(rowsOf()).toEqual(AFTERWARDS);
  expect(urls).toEqual(['/api/campaigns/B', '/api/campaigns/B']);
});

test('a campaign that was approved leaves the long list of requests, which is not loaded as a whole', async () => {
  const { urls, rowsOf } = shown();
  await approveCampaign({ id: 'B', updatedAt: '2026-11-28T12:00:00.000Z' });
  expect(rowsOf()).toEqual(AFTERWARDS);
  expect(urls.filter((url) => !url.startsWith('/api/campaigns/B'))).toEqual([]);
});
