import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { VirtualRows } from './VirtualRows.tsx';

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400);
});

const items = Array.from({ length: 10_000 }, (_, index) => ({ id: String(index) }));

function show(complete: boolean, onEnd = vi.fn()) {
  render(
    <VirtualRows
      items={complete ? items : items.slice(0, 5)}
      label="Devices"
      render={({ id }) => <p>{id}</p>}
      rowHeight={40}
      complete={complete}
      ready
      onEnd={onEnd}
    />,
    { wrapper: MemoryRouter },
  );
  return onEnd;
}

test('of ten thousand rows only those in view are in the document, each with its place', () => {
  const onEnd = show(true);
  const rows = screen.getAllByRole('listitem');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(60);
  expect(rows[0]?.getAttribute('aria-posinset')).toBe('1');
  expect(rows[0]?.getAttribute('aria-setsize')).toBe('10000');
  expect(onEnd).not.toHaveBeenCalled();
});

test('near the end more is asked for, and the size of the list is not known yet', () => {
  const onEnd = show(false);
  expect(onEnd).toHaveBeenCalled();
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('-1');
});

test('a row is not drawn again when more rows follow', () => {
  const draw = vi.fn(({ id }: { id: string }) => <p>{id}</p>);
  const list = (count: number) => (
    <VirtualRows
      items={items.slice(0, count)}
      label="Devices"
      render={draw}
      rowHeight={40}
      complete={false}
      ready={false}
      onEnd={() => undefined}
    />
  );
  const { rerender } = render(list(50), { wrapper: MemoryRouter });
  const before = draw.mock.calls.length;
  expect(before).toBeGreaterThan(0);
  rerender(list(100));
  expect(draw).toHaveBeenCalledTimes(before);
});

test('a row keeps the focus when one above it leaves the list', () => {
  const list = (from: number) => (
    <VirtualRows
      items={items.slice(from, 20)}
      label="Devices"
      render={({ id }) => <button type="button">Open {id}</button>}
      rowHeight={40}
      complete
      ready
      onEnd={() => undefined}
    />
  );
  const { rerender } = render(list(0), { wrapper: MemoryRouter });
  const button = screen.getByRole('button', { name: 'Open 3' });
  button.focus();
  rerender(list(1));
  expect(screen.queryByRole('button', { name: 'Open 0' })).toBeNull();
  expect(document.activeElement).toBe(button);
  expect(button.isConnected).toBe(true);
});

test('an item of several columns keeps the focus when it moves to another row', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
  const list = (from: number) => (
    <VirtualRows
      items={items.slice(from, 20)}
      label="Devices"
      render={({ id }) => (
        <>
          <a href={`#${id}`}>{id}</a>
          <button type="button">Open {id}</button>
        </>
      )}
      rowHeight={40}
      minColumn={180}
      complete
      ready
      onEnd={() => undefined}
    />
  );
  const { rerender } = render(list(0), { wrapper: MemoryRouter });
  const button = () => screen.getByRole('button', { name: 'Open 2' });
  button().focus();
  rerender(list(1));
  expect(document.activeElement).toBe(button());
  button().blur();
  rerender(list(2));
  expect(document.activeElement).toBe(document.body);
});
