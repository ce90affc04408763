import type { Call, Envelope } from '@ams/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { useToast } from '../platform/toast.ts';
import { PlaceSheet } from './PlaceSheet.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('saving a place sends the field that was changed, and Undo gives back that one', async () => {
  const before = device({ area: 'North', address: '1 Main Street' });
  // A colleague has corrected the address meanwhile.
  let stored = { ...before, address: '2 Main Street' };
  const sent: unknown[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, url, body }: Call): Promise<Envelope<unknown>> => {
    if (method !== 'GET') {
      sent.push(body);
      stored = { ...stored, ...(body as object) };
    }
    return { code: 200, message: 'ok', data: url.includes('areas') ? { items: [] } : stored };
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlaceSheet device={before} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const area = await screen.findByRole('combobox', { name: /Area/ });
  await userEvent.clear(area);
  await userEvent.type(area, 'South');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ area: 'South' }]));
  useToast.getState().offer?.undo();
  await waitFor(() => expect(sent.slice(1)).toEqual([{ area: 'North' }]));
});
