import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Dialog } from './Dialog.tsx';

test('a dialog is modal, named by its title, and hands the focus to what asks for it', () => {
  render(
    <Dialog title="Rename" onClose={() => undefined}>
      <button type="button">First</button>
      <button type="button" data-autofocus>
        Second
      </button>
    </Dialog>,
  );
  expect(screen.getByRole('dialog', { name: 'Rename' })).toHaveProperty('open', true);
  expect(document.activeElement?.textContent).toBe('Second');
});

test('Escape and a press beside the panel ask to close it; a press inside does not', async () => {
  const onClose = vi.fn();
  render(
    <Dialog title="Rename" onClose={onClose}>
      <p>Inside</p>
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog');
  await userEvent.click(screen.getByText('Inside'));
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(dialog);
  expect(onClose).toHaveBeenCalledTimes(1);
  // The browser turns Escape into `cancel`.
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('a press that begins inside and ends beside the panel, as when text is selected, does not close it', () => {
  const onClose = vi.fn();
  render(
    <Dialog title="Rename" onClose={onClose}>
      <input aria-label="Name" />
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog');
  fireEvent.pointerDown(screen.getByLabelText('Name'));
  fireEvent.pointerUp(dialog);
  // The click belongs to the element that contains both.
  fireEvent.click(dialog);
  expect(onClose).not.toHaveBeenCalled();
});

test('a sheet has a button that closes it', async () => {
  const onClose = vi.fn();
  render(
    <Dialog title="Owner" kind="sheet" onClose={onClose}>
      {null}
    </Dialog>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a dialog that the browser closed by itself is open again, and asks to be closed', () => {
  const onClose = vi.fn();
  const { unmount } = render(
    <Dialog title="Rename" onClose={onClose}>
      {null}
    </Dialog>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  act(() => dialog.close());
  expect(dialog.open).toBe(true);
  expect(onClose).toHaveBeenCalledTimes(1);
  unmount();
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('without a network, a dialog that is open says that nothing can be changed, and keeps what is typed', async () => {
  const isConnected = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  render(
    <Dialog title="Rename" onClose={() => undefined}>
      <input aria-label="Name" />
    </Dialog>,
  );
  await userEvent.type(screen.getByLabelText('Name'), 'Hall 7');
  expect(screen.queryByText(/^No network connection/)).toBeNull();
  isConnected.mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText(/^No network connection/)).toBeTruthy();
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Hall 7');
  isConnected.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(/^No network connection/)).toBeNull();
});
