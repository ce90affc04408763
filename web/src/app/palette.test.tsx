import { fireEvent, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { usePalette } from '../ui/layout/palette.ts';
import { opensPalette, usePaletteKeys } from './palette.ts';

const pressed = (key: string, more: Partial<Parameters<typeof opensPalette>[0]> = {}) =>
  opensPalette({ key, code: 'KeyK', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, ...more });

test('Ctrl-K and Cmd-K open the palette, on keyboards of any script', () => {
  expect(pressed('k')).toBe(true);
  expect(pressed('K')).toBe(true);
  expect(pressed('k', { ctrlKey: false, metaKey: true })).toBe(true);
  expect(pressed('л')).toBe(true);
  expect(pressed('k', { code: 'KeyV' })).toBe(true);
});

test('other keys do not', () => {
  expect(pressed('k', { ctrlKey: false })).toBe(false);
  expect(pressed('k', { shiftKey: true })).toBe(false);
  expect(pressed('k', { altKey: true })).toBe(false);
  expect(pressed('t')).toBe(false);
  expect(pressed('l', { code: 'KeyL' })).toBe(false);
});

test('the palette closes with the pages of the person who opened it', () => {
  const { unmount } = renderHook(() => usePaletteKeys());
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  expect(usePalette.getState().open).toBe(true);
  unmount();
  expect(usePalette.getState().open).toBe(false);
});

test('what is typed before the palette is there waits for it', () => {
  const { unmount } = renderHook(() => usePaletteKeys());
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  for (const key of ['l', '/', 'Shift', 'Y']) fireEvent.keyDown(window, { key });
  expect(usePalette.getState()).toEqual({ open: true, text: 'l/Y' });
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.open = true;
  fireEvent.keyDown(window, { key: 'o' });
  expect(usePalette.getState().text).toBe('l/Y');
  dialog.remove();
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  expect(usePalette.getState()).toEqual({ open: false, text: '' });
  unmount();
});
