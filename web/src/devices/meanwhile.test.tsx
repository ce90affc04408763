import { type BatchBody, type Call, changedTags, type Device, type Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { LevelsSheet } from './hours/LevelsSheet.tsx';
import { TagsSheet } from './TagsSheet.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

/** A server with one device, as it is by now. */
function server(now: Device) {
  const state = { device: now };
  const answered = (data: unknown): Envelope<unknown> => ({ code: 200, message: 'ok', data });
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, url, body }: Call) => {
    if (url === '/api/devices/batch') {
      const { add = [], remove = [] } = body as Extract<BatchBody, { action: 'tag' }>;
      state.device = { ...state.device, tags: changedTags(state.device.tags, add, remove) };
      return answered({ done: 1, failed: [] });
    }
    if (method === 'PATCH') state.device = { ...state.device, ...(body as Partial<Device>) };
    return answered(url.endsWith(state.device.id) ? state.device : { items: [], next: null });
  });
  return state;
}

const show = (sheet: ReactNode) => render(<QueryClientProvider client={queryClient}>{sheet}</QueryClientProvider>);
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('setting tags of a device keeps those that somebody else set since the sheet was opened', async () => {
  const opened = device({ tags: ['glass', 'lyon'] });
  const state = server({ ...opened, tags: ['glass', 'lyon', 'new'] });
  const onClose = vi.fn();
  show(<TagsSheet device={opened} onClose={onClose} />);
  await userEvent.click(screen.getByRole('button', { name: /^Remove the tag .*glass/ }));
  fireEvent.change(screen.getByLabelText('Tags'), { target: { value: 'sold' } });
  await save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(state.device.tags).toEqual(['lyon', 'new', 'sold']);
});

test('setting the volume of a device keeps the brightness that somebody else set since the sheet was opened', async () => {
  const opened = device({ volume: 20, brightness: 80 });
  const dimmed = { brightness: 30, brightnessHours: [{ from: '20:00', to: '07:00', value: 10 }] };
  const state = server({ ...opened, ...dimmed });
  const onClose = vi.fn();
  show(<LevelsSheet device={opened} onClose={onClose} />);
  fireEvent.change(screen.getByLabelText('Volume (%)'), { target: { value: '50' } });
  await save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(state.device).toMatchObject({ volume: 50, ...dimmed });
});
