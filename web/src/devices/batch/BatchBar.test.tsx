import type { Call } from '@ams/contract';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';

import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { deviceTotalQuery } from '../../queries/devices.ts';
import { ConfirmHost } from '../../ui/feedback/ConfirmHost.tsx';
import { BatchBar } from './BatchBar.tsx';
import { useBatch } from './useBatch.ts';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

const filter = { area: 'Lyon' };

function Bar({ onEnd }: { onEnd: () => void }) {
  const batch = useBatch();
  const { data = 0 } = useQuery(deviceTotalQuery(filter));
  const named = { current: new Map() };
  return (
    <BatchBar
      target={{ filter }}
      named={named}
      count={data}
      total={data}
      busy={false}
      onAll={() => undefined}
      onEnd={onEnd}
      onStart={(body) => batch.start(body, named.current)}
    />
  );
}

test('a batch on all that a filter shows names their number; after a refusal, the next question has the new one', async () => {
  let total = 2;
  const sent: unknown[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, body }: Call) => {
    if (method === 'GET') return { code: 200, message: 'ok', data: { items: [], next: null, total } };
    sent.push(body);
    if (sent.length > 1) return { code: 200, message: 'ok', data: { done: total, failed: [] } };
    total = 3;
    return { code: 409, error: 'CHANGED_MEANWHILE', message: 'Someone else has changed this.' };
  });
  const onEnd = vi.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Bar onEnd={onEnd} />
        <ConfirmHost />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const restart = async (devices: string) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions' })).toHaveProperty('disabled', false));
    await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Restart' }));
    await screen.findByRole('heading', { name: new RegExp(devices) });
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  };
  await restart('2 devices');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull());
  expect(onEnd).not.toHaveBeenCalled();
  await restart('3 devices');
  await waitFor(() => expect(onEnd).toHaveBeenCalled());
  expect(sent).toEqual([2, 3].map((expected) => ({ filter, expected, action: 'restart' })));
});
