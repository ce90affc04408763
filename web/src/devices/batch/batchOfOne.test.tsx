import type { Call, DeviceBatch } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { device } from '../../../test/device.ts';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { useToast } from '../../platform/toast.ts';
import { askToRestart } from '../actions.ts';
import { DeviceExpirySheet } from '../DeviceExpirySheet.tsx';
import { ConfirmHost } from '../../ui/feedback/ConfirmHost.tsx';

const UNDO = '0190a000-0000-7000-8000-0000000000ff';
const { id } = device();
const preview = { changes: [], unchanged: 0, earlier: 0 };
const done: DeviceBatch = { done: 1, failed: [], undo: UNDO };

const forgetMessages = () => useToast.setState({ shown: undefined, offer: undefined });

beforeEach(forgetMessages);
afterEach(() => {
  forgetMessages();
  vi.restoreAllMocks();
  queryClient.clear();
});

/** Batches and their undoing get these answers. */
function answered({ start = done, undo = done }: { start?: DeviceBatch; undo?: DeviceBatch }): void {
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) => ({
    code: 200,
    message: 'ok',
    data: { preview, ...(url.endsWith('/undo') ? undo : start) },
  }));
}

const told = () => useToast.getState().shown;

function openSheet() {
  const onClose = vi.fn<() => void>();
  render(
    <QueryClientProvider client={queryClient}>
      <DeviceExpirySheet device={device()} onClose={onClose} />
    </QueryClientProvider>,
  );
  return onClose;
}

test('a device that stayed as it was is not taken for changed', async () => {
  answered({ start: { done: 0, failed: [{ id, error: 'NOT_FOUND' }] } });
  const onClose = openSheet();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(told()?.kind).toBe('fail'));
  expect(onClose).not.toHaveBeenCalled();
});

test('an undoing that changed nothing, because somebody changed the device meanwhile, says so', async () => {
  answered({ undo: { done: 0, failed: [{ id, error: 'CHANGED_MEANWHILE' }] } });
  const onClose = openSheet();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  act(() => useToast.getState().offer?.undo());
  await waitFor(() => expect(told()?.kind).toBe('fail'));
});

test('a device that is not there any more is not reported as restarting', async () => {
  answered({ start: { done: 0, failed: [{ id, error: 'NOT_FOUND' }] } });
  render(<ConfirmHost />);
  act(() => void askToRestart(device({ pairedAt: '2026-11-20T12:00:00.000Z' })));
  await userEvent.click(screen.getByRole('button', { name: 'Restart' }));
  await waitFor(() => expect(told()?.kind).toBe('fail'));
  expect(screen.queryByRole('dialog')).not.toBeNull();
});
