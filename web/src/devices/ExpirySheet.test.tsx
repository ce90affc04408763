import type { Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { type ExpiryOrder, ExpirySheet } from './ExpirySheet.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

test('a year is typed digit by digit, and one out of reach is forgotten', async () => {
  vi.spyOn(api, 'transport').mockImplementation(async (_: Call): Promise<Envelope<unknown>> => {
    const preview = { changes: [], unchanged: 0, earlier: 0 };
    return { code: 200, message: 'ok', data: { done: 0, failed: [], preview } };
  });
  const saved: ExpiryOrder[] = [];
  render(
    <QueryClientProvider client={queryClient}>
      <ExpirySheet
        title="Set expiry date"
        target={{ ids: ['0190a000-0000-7000-8000-000000000000'] }}
        date="2026-12-24"
        onSave={async (order) => saved.push(order) > 0}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Set to' }));
  const field = screen.getByLabelText<HTMLInputElement>('Expiry date', { selector: 'input' });
  const year = String(new Date().getFullYear() + 1);
  // The field reports a date for each digit.
  for (const typed of ['0002', year.slice(0, 2).padStart(4, '0'), year.slice(0, 3).padStart(4, '0'), year]) {
    fireEvent.change(field, { target: { value: `${typed}-12-24` } });
    expect(field.value).toBe(`${typed}-12-24`);
  }
  fireEvent.change(field, { target: { value: '0001-12-24' } });
  fireEvent.blur(field);
  expect(field.value).toBe(`${year}-12-24`);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved).toEqual([{ action: 'expire', date: `${year}-12-24` }]);
});

test('a preview that could not be loaded says so, and that of another order is not shown', async () => {
  const preview = (earlier: number) => ({ changes: [], unchanged: 0, earlier });
  const ok = (earlier: number): Envelope<unknown> => ({
    code: 200,
    message: 'ok',
    data: { done: 0, failed: [], preview: preview(earlier) },
  });
  const later = Promise.withResolvers<Envelope<unknown>>();
  vi.spyOn(api, 'transport').mockImplementation(({ body }: Call) =>
    JSON.stringify(body).includes('"months":1,') ? Promise.resolve(ok(7)) : later.promise,
  );
  render(
    <QueryClientProvider client={queryClient}>
      <ExpirySheet
        title="Set expiry date"
        target={{ ids: ['0190a000-0000-7000-8000-000000000000'] }}
        date={null}
        onSave={async () => true}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
  const first = await screen.findByText(/^7 devices/);
  await userEvent.click(screen.getByRole('radio', { name: 'Does not expire' }));
  expect(first.closest('[aria-busy=true]')).not.toBeNull();
  later.resolve({ code: 0, error: 'NETWORK', message: 'Network Error' });
  await screen.findByRole('button', { name: 'Retry' });
  expect(screen.queryByText(/^7 devices/)).toBeNull();
});
