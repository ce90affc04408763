import { type Call, type DeviceFilter, type Envelope, GROUP_NAME_MAX } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { ShareWall } from './ShareWall.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

/** The title of the link that is made for the devices of a filter. */
async function titleFor(filter: DeviceFilter): Promise<unknown> {
  const sent: { subject?: { title?: string } }[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, body }: Call): Promise<Envelope<unknown>> => {
    if (method === 'POST') sent.push(body as (typeof sent)[number]);
    return { code: 200, message: 'ok', data: { items: [], next: null, id: 'a', url: 'https://example.com/share/a' } };
  });
  render(
    <QueryClientProvider client={queryClient}>
      <ShareWall filter={filter} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create link' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  return sent[0]?.subject?.title;
}

test('a wall of filtered devices has the words of the filter as its title, by which its link is found again', async () => {
  expect(await titleFor({ area: 'Lyon', tags: { all: ['lobby'], none: ['old'] } })).toBe('Lyon · lobby');
});

test('a wall of all devices is called so', async () => {
  expect(await titleFor({ online: false })).toBe('Devices');
});

test('a long filter makes no title that is refused', async () => {
  const tags = { all: Array.from({ length: 10 }, (_, index) => `${'x'.repeat(20)}${index}`) };
  expect(await titleFor({ tags })).toHaveLength(GROUP_NAME_MAX);
});
