import type { Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { NamesSheet } from './NamesSheet.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

test('a name that its number makes too long is refused with its reason', async () => {
  const preview = { changes: [], unchanged: 0, earlier: 0 };
  const answer: Envelope<unknown> = { code: 200, message: 'ok', data: { done: 0, failed: [], preview } };
  vi.spyOn(api, 'transport').mockResolvedValue(answer);
  const onSave = vi.fn(async () => true);
  render(
    <QueryClientProvider client={queryClient}>
      <NamesSheet title="Rename" target={{ filter: {} }} count={1000} onSave={onSave} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const save = async (name: string) => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: name } });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  };
  await save(`${'a'.repeat(57)}{n}`);
  expect(screen.getByText(/^Name with its number: at most 60/)).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
  await save(`${'a'.repeat(56)}{n}`);
  expect(onSave).toHaveBeenCalledOnce();
});
