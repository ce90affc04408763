import type { Call, Envelope } from '@ams/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { approvalCountQuery, releaseRequestCountQuery, shortCountQuery } from './approvals.ts';

test.each([
  ['campaigns that are short of plays', (client: QueryClient) => client.fetchQuery(shortCountQuery)],
  ['requested campaigns', (client: QueryClient) => client.fetchQuery(approvalCountQuery)],
  ['requests of releases', (client: QueryClient) => client.fetchQuery(releaseRequestCountQuery)],
])('all %s are counted in one call, however many there are', async (_, count) => {
  const transport = vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const total = url.includes('total=true') ? { total: 250 } : {};
    return { code: 200, message: 'ok', data: { items: [], next: null, ...total } };
  });
  expect(await count(new QueryClient())).toBe(250);
  expect(transport).toHaveBeenCalledOnce();
  transport.mockRestore();
});
