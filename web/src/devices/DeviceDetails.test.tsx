import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { listenLive } from '../platform/live.ts';
import { queryClient } from '../platform/query.ts';
import { ConfirmHost } from '../ui/feedback/ConfirmHost.tsx';
import { useShownDevice } from './DeviceDetails.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const { id } = device();

function Shown() {
  const shown = useShownDevice(id, () => undefined);
  const { device: found, remove } = shown;
  if (!found) return null;
  return <button onClick={() => remove(found)}>{found.name}</button>;
}

/** The server says that the device changed. */
async function tellChange(): Promise<void> {
  const stop = new AbortController();
  vi.spyOn(api, 'openStream').mockImplementation(async () => {
    setTimeout(() => stop.abort(), 0);
    return new Response(`event: device\ndata: ${JSON.stringify({ ids: [id] })}\n\n`);
  });
  await act(() => listenLive(stop.signal, { onGap: () => undefined }));
}

test('what changed while it was asked whether to delete a device is shown once that is called off', async () => {
  let name = 'Hall';
  vi.spyOn(api, 'transport').mockImplementation(async () => ({ code: 200, message: 'ok', data: device({ name }) }));
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
      <ConfirmHost />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Hall' }));
  name = 'Foyer';
  await tellChange();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Foyer')).toBeTruthy();
});
