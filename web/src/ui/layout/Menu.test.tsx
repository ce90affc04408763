import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ActionList, MenuButton } from './Menu.tsx';

test('the button opens a sheet of actions, and picking one closes it', async () => {
  const onPick = vi.fn();
  render(<MenuButton title="Actions for Anna" items={[{ text: 'Rename', onPick }]} />);
  const button = screen.getByRole('button', { name: 'Actions for Anna' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button);
  expect(screen.getByRole('dialog', { name: 'Actions for Anna' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }));
  expect(onPick).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an action that calls the server keeps the sheet open until it is done', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = vi.fn(() => promise);
  render(<MenuButton title="Actions" items={[{ text: 'Export', run }]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  const row = screen.getByRole('button', { name: 'Export' });
  await userEvent.dblClick(row);
  expect(run).toHaveBeenCalledOnce();
  expect(row.getAttribute('aria-busy')).toBe('true');
  resolve();
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('closing the sheet picks nothing', async () => {
  const onPick = vi.fn();
  render(<MenuButton title="Actions" items={[{ text: 'Delete', danger: true, onPick }]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(onPick).not.toHaveBeenCalled();
});

test('actions of a page are a list of buttons with their hints', () => {
  render(<ActionList items={[{ text: 'Export', hint: 'A spreadsheet', onPick: () => undefined }]} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByRole('button', { name: /Export.*A spreadsheet/ })).toBeTruthy();
});
