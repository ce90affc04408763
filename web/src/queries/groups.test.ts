import type { Group } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { pickableGroupsQuery } from './groups.ts';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

test('groups to choose from are found behind a page with groups of superiors only', async () => {
  const id = '0198a000-0000-7000-8000-000000000001';
  const pages: Record<string, { items: Pick<Group, 'id' | 'filter'>[]; next: string | null }> = {
    first: { items: [{ id, filter: null }], next: 'second' },
    second: { items: [{ id, filter: {} }], next: null },
  };
  vi.spyOn(api, 'transport').mockImplementation(({ url }) => {
    const cursor = new URL(url, 'http://app.invalid').searchParams.get('cursor') ?? 'first';
    return Promise.resolve({ code: 200, message: '', data: pages[cursor] });
  });
  const { pages: loaded } = await queryClient.fetchInfiniteQuery(pickableGroupsQuery(''));
  expect(loaded).toMatchObject([{ items: [{ id, filter: {} }], next: null }]);
});
