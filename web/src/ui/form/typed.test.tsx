import type { Envelope } from '@ams/contract';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import { Form, TextField, useForm } from './form.tsx';

const headerOf = (id: string) => encodeURIComponent(JSON.stringify({ id, username: id, name: id, access: 'operator' }));

function signIn(person: string) {
  storage.setToken('token', 60);
  const headers: Record<string, string> = { role: 'leading', person: headerOf(person), current: headerOf('office') };
  act(() => session.take((name) => headers[name]));
}

/** The session ends: the page to log in takes the place of the form. */
function end() {
  act(() => session.clear());
  cleanup();
}

afterEach(end);

const made: Envelope<null> = { code: 200, message: '', data: null };

function UserForm({ about = 'user' }: { about?: string }) {
  const form = useForm<Record<'username' | 'phone' | 'password', string>, null>({
    initial: { username: '', phone: '110', password: '' },
    keeping: { as: about, without: ['password'] },
    send: async () => made,
    onDone: () => undefined,
  });
  return (
    <Form form={form}>
      <TextField form={form} name="username" label="Username" />
      <TextField form={form} name="phone" label="Phone" />
      <TextField form={form} name="password" label="Password" />
    </Form>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const shown = () => ['Username', 'Phone', 'Password'].map((name) => field(name).value);
/** Whether the browser asks before the page is reloaded or closed. */
const isAskedFor = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

async function write() {
  render(<UserForm />);
  await userEvent.type(field('Username'), 'anna');
  await userEvent.type(field('Password'), 'secret');
}

test('what was typed when the session ended is there after the next log-in, without the password', async () => {
  signIn('ann');
  await write();
  end();
  signIn('ben');
  render(<UserForm />);
  expect(shown(), 'somebody else').toEqual(['', '110', '']);
  end();
  signIn('ann');
  render(<UserForm about="device" />);
  expect(shown(), 'another form').toEqual(['', '110', '']);
  cleanup();
  render(<UserForm />);
  expect(shown()).toEqual(['anna', '110', '']);
  cleanup();
  render(<UserForm />);
  expect(shown(), 'it was closed').toEqual(['', '110', '']);
});

test('what was typed is thrown away with its form', async () => {
  signIn('cleo');
  await write();
  cleanup();
  expect(isAskedFor()).toBe(false);
  render(<UserForm />);
  expect(shown()).toEqual(['', '110', '']);
});

test('the browser asks before a reload loses what was typed', async () => {
  signIn('dora');
  render(<UserForm />);
  expect(isAskedFor()).toBe(false);
  await userEvent.type(field('Username'), 'a');
  expect(isAskedFor()).toBe(true);
  await userEvent.clear(field('Username'));
  expect(isAskedFor()).toBe(false);
});
