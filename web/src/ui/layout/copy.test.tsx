import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useToast } from '../../platform/toast.ts';
import { useCopy } from './copy.ts';

const ADDRESS = 'http://192.168.1.10:3000/register/abc';

function Copy() {
  const copy = useCopy();
  return (
    <button type="button" onClick={() => void copy(ADDRESS)}>
      Copy
    </button>
  );
}

/** The browser's answer to "copy", and what was selected then. */
function browser(answer: boolean): string[] {
  const selected: string[] = [];
  document.execCommand = () => {
    const area = document.querySelector('textarea');
    selected.push(area?.value ?? '');
    return answer;
  };
  return selected;
}

const said = () => vi.waitFor(() => useToast.getState().shown ?? Promise.reject(new Error('nothing was said')));

// A test of another file may have left a message.
beforeEach(() => useToast.setState({ shown: undefined }));

test.each([
  ['over plain HTTP, where there is no clipboard', undefined],
  ['where the clipboard is refused', { writeText: () => Promise.reject(new Error('not allowed')) }],
])('a text is copied %s', async (_, clipboard) => {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  const selected = browser(true);
  render(<Copy />);
  const button = screen.getByRole('button');
  button.focus();
  fireEvent.click(button);
  expect(await said()).toMatchObject({ kind: 'success' });
  expect(selected).toEqual([ADDRESS]);
  expect(document.querySelector('textarea')).toBeNull();
  expect(document.activeElement).toBe(button);
});

test('a text that cannot be copied is said to be so', async () => {
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  browser(false);
  render(<Copy />);
  fireEvent.click(screen.getByRole('button'));
  expect(await said()).toMatchObject({ kind: 'fail' });
});
