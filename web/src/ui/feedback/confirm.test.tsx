import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import { confirm, type ConfirmRequest, useConfirm } from './confirm.ts';
import { ConfirmHost } from './ConfirmHost.tsx';

/** Asks; `answer` is what somebody decides. An object, for a promise would be waited for. */
function ask(request: Partial<ConfirmRequest>): { answer: Promise<boolean> } {
  render(<ConfirmHost />);
  let answer = Promise.resolve(false);
  act(() => {
    answer = confirm({ title: 'Delete anna?', ...request });
  });
  return { answer };
}

test('Enter confirms, and the step runs before the dialog closes', async () => {
  const run = vi.fn(() => {
    expect(screen.getByRole('dialog')).toBeTruthy();
  });
  const { answer } = ask({ run });
  await userEvent.keyboard('{Enter}');
  expect(await answer).toBe(true);
  expect(run).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the Enter that opened the question, still held down, does not answer it', async () => {
  const run = vi.fn();
  const { answer } = ask({ danger: true, run });
  const button = screen.getByRole('button', { name: 'Confirm' });
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true }), 'nor is the button pressed').toBe(false);
  expect(run).not.toHaveBeenCalled();
  fireEvent.keyDown(button, { key: 'Enter' });
  expect(await answer).toBe(true);
});

test('Escape cancels and runs nothing', async () => {
  const run = vi.fn();
  const { answer } = ask({ run });
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(await answer).toBe(false);
  expect(run).not.toHaveBeenCalled();
});

test('Enter on Cancel cancels', async () => {
  const { answer } = ask({});
  screen.getByRole('button', { name: 'Cancel' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(await answer).toBe(false);
});

test('while the step runs the button shows it, and a failed step leaves the dialog open', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  ask({ run: () => promise, action: 'Delete' });
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-busy')).toBe('true');
  await act(async () => resolve(false));
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-busy')).toBeNull();
  expect(screen.getByRole('dialog')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('text is checked by its schema and handed to the step', async () => {
  const run = vi.fn();
  const { answer } = ask({ input: { about: 'anna', label: 'Remark', schema: z.string().min(2) }, run });
  await userEvent.keyboard('a{Enter}');
  expect(run).not.toHaveBeenCalled();
  expect(screen.getByRole('alert')).toBeTruthy();
  await userEvent.keyboard('b{Enter}');
  expect(await answer).toBe(true);
  expect(run).toHaveBeenCalledWith('ab');
});

test('a new question cancels the one before', async () => {
  const { answer } = ask({});
  await act(async () => void confirm({ title: 'Another?' }));
  expect(await answer).toBe(false);
  expect(screen.getByRole('dialog', { name: 'Another?' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('a question that took the place of another one stays when the earlier one is done', async () => {
  render(<ConfirmHost />);
  const work = Promise.withResolvers<boolean>();
  act(() => void confirm({ title: 'First', run: () => work.promise }));
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  let answer: boolean | undefined;
  act(() => void confirm({ title: 'Second' }).then((given) => (answer = given)));
  await act(async () => work.resolve(true));
  expect(screen.getByRole('heading').textContent).toBe('Second');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(answer).toBe(true);
});

test('a question goes with the session in which it was asked', async () => {
  storage.setToken('token', 60);
  session.check();
  const run = vi.fn();
  const { answer } = ask({ run });
  act(() => session.clear());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await answer).toBe(false);
  expect(run).not.toHaveBeenCalled();
});

test('text that was typed when the session ended is there when its person asks the same again', async () => {
  const logIn = (person: string) => {
    storage.setToken('token', 60);
    const named = encodeURIComponent(
      JSON.stringify({ id: person, username: person, name: person, access: 'operator' }),
    );
    act(() => session.take((name) => (name === 'person' ? named : undefined)));
  };
  const text = () => screen.getByRole<HTMLInputElement>('textbox').value;
  const input = { about: 'lift', label: 'Name', initial: 'Lift' };
  logIn('ann');
  ask({ input });
  await userEvent.type(screen.getByRole('textbox'), ' 2');
  act(() => session.clear());
  logIn('ben');
  act(() => void confirm({ title: 'Delete anna?', input }));
  expect(text(), 'somebody else').toBe('Lift');
  act(() => session.clear());
  logIn('ann');
  act(() => void confirm({ title: 'Delete anna?', input: { ...input, about: 'door', initial: 'Door' } }));
  expect(text(), 'another thing').toBe('Door');
  act(() => void confirm({ title: 'Delete anna?', input }));
  expect(text()).toBe('Lift 2');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  act(() => void confirm({ title: 'Delete anna?', input }));
  expect(text(), 'it was cancelled').toBe('Lift');
  act(() => session.clear());
});

test('a question that is asked without a session stays', () => {
  ask({});
  act(() => session.check());
  expect(screen.getByRole('dialog')).toBeTruthy();
  act(() => useConfirm.getState().pending?.settle(false));
});
