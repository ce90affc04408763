import type { Device } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { Look } from './Look.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const taken = (at: string) =>
  ({
    id: 'a',
    online: true,
    screens: [],
    playing: { main: null, secondary: null },
    screenshotAt: { main: at, secondary: null },
  }) as unknown as Device;

const show = (at: string) => (
  <QueryClientProvider client={queryClient}>
    <Look device={taken(at)} />
  </QueryClientProvider>
);

test('a picture keeps its time until the next one has arrived', async () => {
  const [first, second] = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z'];
  const arrived = Promise.withResolvers<Blob>();
  vi.spyOn(api, 'fetchBlob')
    .mockResolvedValueOnce(new Blob(['one']))
    .mockReturnValueOnce(arrived.promise);
  const { rerender } = render(show(first));
  const before = (await screen.findByRole<HTMLImageElement>('img')).src;
  rerender(show(second));
  expect(screen.getByRole<HTMLImageElement>('img').src).toBe(before);
  expect(screen.getByTestId('picture-main').dataset['at']).toBe(first);

  arrived.resolve(new Blob(['two']));
  await expect.poll(() => screen.getByTestId('picture-main').dataset['at']).toBe(second);
  expect(screen.getByRole<HTMLImageElement>('img').src).not.toBe(before);
});
