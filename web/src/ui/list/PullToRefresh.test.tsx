import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { PullToRefresh } from './PullToRefresh.tsx';

const at = (clientY: number) => ({ touches: [{ clientX: 100, clientY }] });

function pull(from: Element, by = 200): void {
  fireEvent.touchStart(from, at(300));
  for (let y = 300; y <= 300 + by; y += 10) fireEvent.touchMove(from, at(y));
}

function show() {
  const done = Promise.withResolvers<void>();
  const onRefresh = vi.fn(() => done.promise);
  const shown = render(
    <main>
      <h1>Users</h1>
      <PullToRefresh onRefresh={onRefresh}>
        <p>Anna</p>
      </PullToRefresh>
      <div data-testid="scrolled" />
      <dialog open>
        <p>Question</p>
      </dialog>
    </main>,
  );
  return { onRefresh, done, ...shown };
}

const said = (): (string | null)[] => screen.getAllByRole('status').map((each) => each.textContent);

afterEach(() => vi.restoreAllMocks());

test.each(['Anna', 'Users'])('a list is pulled at %s, within it or anywhere on its page', async (text) => {
  const { onRefresh, done } = show();
  const from = screen.getByText(text);
  pull(from, 50);
  expect(said()).toEqual(['Pull to refresh']);
  pull(from);
  expect(said()).toEqual(['Release to refresh']);
  expect(onRefresh).not.toHaveBeenCalled();
  fireEvent.touchEnd(from);
  expect(said()).toEqual(['Loading…']);
  done.resolve();
  await waitFor(() => expect(said()).toEqual(['']));
  expect(onRefresh).toHaveBeenCalledOnce();
});

test('a short pull, one in a dialog above, and one in a part that is scrolled refresh nothing', () => {
  const { onRefresh } = show();
  pull(screen.getByText('Anna'), 50);
  fireEvent.touchEnd(screen.getByText('Anna'));
  const scrolled = screen.getByTestId('scrolled');
  scrolled.scrollTop = 40;
  for (const part of [screen.getByText('Question'), scrolled]) {
    pull(part);
    expect(said()).toEqual(['']);
    fireEvent.touchEnd(part);
  }
  expect(onRefresh).not.toHaveBeenCalled();
});
