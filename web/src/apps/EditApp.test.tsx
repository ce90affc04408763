import type { App } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { EditApp } from './EditApp.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

const app: App = {
  ...{ id: '0198a000-0000-7000-8000-000000000001', name: 'Player', content: 'Fixes', url: '/media/a', code: 7 },
  ...{ ctime: '2026-11-20T00:00:00.000Z', createdAt: '2026-11-20T00:00:00.000Z', forced: true, istype: 1 },
  ...{ package: 'com.example', version: '1.7', bytes: 1, sha256: 'a', signer: null, icon: null },
  ...{ published: true, uploadedBy: null, own: true },
};

test('an edited version stays withdrawn if somebody has withdrawn it meanwhile', async () => {
  const transport = vi
    .spyOn(api, 'transport')
    .mockResolvedValue({ code: 200, message: 'ok', data: { ...app, published: false } });
  const onSaved = vi.fn();
  const dialogOf = (known: App) => (
    <QueryClientProvider client={queryClient}>
      <EditApp app={known} onClose={() => undefined} onSaved={onSaved} />
    </QueryClientProvider>
  );
  const { rerender } = render(dialogOf(app));
  fireEvent.change(screen.getByRole('textbox', { name: 'What’s new' }), { target: { value: 'Fixes two errors' } });
  // A change by somebody else may arrive while the dialog is open, or not.
  rerender(dialogOf({ ...app, forced: false }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalled());
  const change = transport.mock.calls.map(([call]) => call).find(({ method }) => method === 'PATCH');
  expect(change?.body).toEqual({ content: 'Fixes two errors' });
});
