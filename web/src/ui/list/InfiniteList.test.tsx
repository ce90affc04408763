import type { Envelope, Page } from '@ams/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { type PageRequest, pageQuery } from '../../platform/query.ts';
import { InfiniteList, type InfiniteListProps } from './InfiniteList.tsx';

interface Item {
  id: string;
}
type Load = (page: PageRequest) => Promise<Envelope<Page<Item>>>;

const page = (ids: string[], next: string | null): Envelope<Page<Item>> => ({
  code: 200,
  message: '',
  data: { items: ids.map((id) => ({ id })), next },
});

// Without a layout every element would be empty, and no row in view.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400);
});

function show(load: Load, more: Partial<InfiniteListProps<Item>> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <InfiniteList
        query={pageQuery(['items'], load)}
        label="Items"
        rowHeight={40}
        empty={{ title: 'Nothing yet' }}
        render={({ id }) => <p>Item {id}</p>}
        {...more}
      />
    </QueryClientProvider>,
    { wrapper: MemoryRouter },
  );
}

test('pages follow each other up to the end, which says that there is no more', async () => {
  const load = vi.fn<Load>(async ({ cursor }) => (cursor === undefined ? page(['1', '2'], 'c') : page(['3'], null)));
  show(load);
  expect(screen.getByRole('status', { name: /^Loading/ })).toBeTruthy();
  expect(await screen.findByText('Item 3')).toBeTruthy();
  expect(load.mock.calls.map(([{ cursor }]) => cursor)).toEqual([undefined, 'c']);
  expect(screen.getByRole('list', { name: 'Items' })).toBeTruthy();
  expect(screen.getByText('No more')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map((each) => each.getAttribute('aria-posinset'))).toEqual(['1', '2', '3']);
});

test('an empty list says what it is', async () => {
  show(async () => page([], null));
  expect(await screen.findByRole('heading', { name: 'Nothing yet' })).toBeTruthy();
});

test('a filter without matches can be cleared', async () => {
  const clear = vi.fn();
  show(async () => page([], null), { filter: { active: true, clear } });
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(clear).toHaveBeenCalledOnce();
});

test('a list that could not be loaded is retried on demand', async () => {
  const load = vi.fn<Load>(async () => page(['1'], null));
  load.mockResolvedValueOnce({ code: 500, error: 'INTERNAL', message: 'It broke' });
  show(load);
  expect((await screen.findByRole('alert')).textContent).toContain('It broke');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Item 1')).toBeTruthy();
});
