import type { Call, Envelope } from '@ams/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { shortCountQuery } from './approvals.ts';

test('all campaigns that are short of plays are counted, however many there are', async () => {
  const transport = vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const total = url.includes('total=true') ? { total: 250 } : {};
    return { code: 200, message: 'ok', data: { items: [], next: null, ...total } };
  });
  expect(await new QueryClient().fetchQuery(shortCountQuery)).toBe(250);
  transport.mockRestore();
});
