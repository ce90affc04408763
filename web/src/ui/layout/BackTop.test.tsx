import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { BackTop } from './BackTop.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const scrolledTo = (y: number): void => {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(y);
  act(() => {
    window.dispatchEvent(new Event('scroll'));
    vi.runAllTimers();
  });
};

test.each([
  [true, 'instant'],
  [false, 'smooth'],
])('the way to the top is there from 200 px on; with less motion %s, scrolling is %s', (matches, behavior) => {
  vi.useFakeTimers();
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue();
  const media = Object.defineProperty(window.matchMedia('all'), 'matches', { value: matches });
  vi.spyOn(window, 'matchMedia').mockReturnValue(media);
  render(<BackTop />);
  scrolledTo(200);
  expect(screen.queryByRole('button')).toBeNull();
  scrolledTo(201);
  fireEvent.click(screen.getByRole('button', { name: 'Back to top' }));
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior });
});
