import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import { toast } from '../../platform/toast.ts';
import { ToastHost } from './Toast.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(() => void vi.runAllTimers());
  vi.useRealTimers();
});

test('a message is announced and goes after 2000 ms', () => {
  render(<ToastHost />);
  act(() => toast.success('Saved'));
  expect(screen.getByRole('status').textContent).toBe('Saved');
  act(() => void vi.advanceTimersByTime(1999));
  expect(screen.getByRole('status').textContent).toBe('Saved');
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('there is one message at a time; the same one again stays longer', () => {
  render(<ToastHost />);
  act(() => toast.info('One'));
  act(() => toast.fail('Two'));
  expect(screen.getByRole('status').textContent).toBe('Two');
  act(() => void vi.advanceTimersByTime(1500));
  act(() => toast.fail('Two'));
  act(() => void vi.advanceTimersByTime(1500));
  expect(screen.getByRole('status').textContent).toBe('Two');
});

test('an offer to undo goes with the session in which something was done', () => {
  storage.setToken('token', 60);
  session.check();
  render(<ToastHost />);
  act(() => toast.offerUndo('Removed', () => undefined));
  expect(screen.getByTestId('undo')).toBeTruthy();
  act(() => session.clear());
  expect(screen.queryByTestId('undo')).toBeNull();
});
