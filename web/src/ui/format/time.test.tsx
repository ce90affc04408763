import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useNow } from './time.tsx';

const TICK = 15_000;

test('what shows a time is drawn once when it appears, and again with each tick', () => {
  vi.useFakeTimers({ now: Date.now() + 4 * TICK });
  const drawn = vi.fn<(now: number) => void>();
  function Clock() {
    const now = useNow();
    drawn(now);
    return <p>{now}</p>;
  }
  const { unmount } = render(<Clock />);
  const first = Date.now();
  expect(drawn).toHaveBeenCalledTimes(1);
  expect(screen.getByText(first)).toBeDefined();
  unmount();

  vi.advanceTimersByTime(5000);
  render(<Clock />);
  expect(drawn).toHaveBeenCalledTimes(2);
  act(() => void vi.advanceTimersByTime(TICK - 5000));
  expect(drawn).toHaveBeenCalledTimes(3);
  expect(screen.getByText(first + TICK)).toBeDefined();
  act(() => void vi.advanceTimersByTime(TICK));
  expect(screen.getByText(first + 2 * TICK)).toBeDefined();
  vi.useRealTimers();
});
