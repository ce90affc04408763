import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SortableRows } from './SortableRows.tsx';

const ROW_HEIGHT = 72;

/** Rows one below the other, where there is no layout. */
function placeOf(this: HTMLElement): DOMRect {
  const row = this.closest('li');
  const index = row ? [...(row.parentElement?.children ?? [])].indexOf(row) : 0;
  return new DOMRect(0, index * ROW_HEIGHT, 400, ROW_HEIGHT);
}
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(placeOf));

function Playlist() {
  const [items, setItems] = useState(['Door', 'Window', 'Roof']);
  const move = (from: number, to: number) => {
    const item = items[from] ?? '';
    setItems(items.toSpliced(from, 1).toSpliced(to, 0, item));
  };
  return (
    <SortableRows
      items={items}
      label="Playlist"
      keyOf={(item) => item}
      nameOf={(item) => item}
      render={(item) => <span>{item}</span>}
      onMove={move}
    />
  );
}

const order = () => screen.getAllByRole('listitem').map((row) => row.textContent);
const handle = (name: string) => screen.getByRole('button', { name: new RegExp(`^Move ${name}`) });
const said = () => screen.getAllByRole('status').map((each) => each.textContent);

test('the arrow keys on a handle move its row, keep the focus and announce the place', async () => {
  render(<Playlist />);
  expect(order()).toEqual(['Door', 'Window', 'Roof']);
  handle('Door').focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(order()).toEqual(['Window', 'Door', 'Roof']);
  expect(said()).toContain('Door: 2 of 3');
  expect(document.activeElement).toBe(handle('Door'));
  await userEvent.keyboard('{ArrowUp}');
  expect(order()).toEqual(['Door', 'Window', 'Roof']);
});

test('no row leaves the list', async () => {
  render(<Playlist />);
  handle('Door').focus();
  await userEvent.keyboard('{ArrowUp}');
  handle('Roof').focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(order()).toEqual(['Door', 'Window', 'Roof']);
});

test('Space lifts a row, the arrow keys carry it, Space drops it; Escape puts it back', async () => {
  render(<Playlist />);
  handle('Window').focus();
  await userEvent.keyboard(' ');
  await waitFor(() => expect(said()).toContain('Window: 2 of 3'));
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(said()).toContain('Window: 3 of 3'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(said()).toContain('Window: 2 of 3'));
  expect(order()).toEqual(['Door', 'Window', 'Roof']);
  await userEvent.keyboard(' ');
  await waitFor(() => expect(said()).toContain('Window: 2 of 3'));
  await userEvent.keyboard('{ArrowDown}');
  await waitFor(() => expect(said()).toContain('Window: 3 of 3'));
  await userEvent.keyboard(' ');
  await waitFor(() => expect(order()).toEqual(['Door', 'Roof', 'Window']));
});

test('a handle describes how it is used', () => {
  render(<Playlist />);
  expect(screen.getByRole('button', { name: /^Move Door/, description: /arrow keys/ })).toBeTruthy();
});
