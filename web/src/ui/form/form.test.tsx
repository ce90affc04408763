import type { Envelope } from '@ams/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Button } from '../layout/Button.tsx';
import { Form, TextField, useForm } from './form.tsx';

interface Values {
  username: string;
  phone: string;
}

type Send = (values: Values) => Promise<Envelope<string>>;

const schema = z.object({ username: z.string().min(4), phone: z.string() });
const nothing = () => undefined;
const accepted: Envelope<string> = { code: 200, message: '', data: 'made' };

function TestForm({ send, onDone = nothing }: { send: Send; onDone?: (data: string) => void }) {
  const form = useForm({
    schema,
    initial: { username: '', phone: '' },
    send,
    onDone,
    fieldOf: { USERNAME_TAKEN: 'username' },
  });
  return (
    <Form form={form} label="Add user">
      <TextField form={form} name="phone" label="Phone" />
      <TextField form={form} name="username" label="Username" />
      <Button submit loading={form.sending}>
        Add
      </Button>
    </Form>
  );
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Add' }));
const username = () => screen.getByRole('textbox', { name: 'Username' });

test('what the schema refuses is not sent: its message stands under the field, which takes the focus', async () => {
  const send = vi.fn<Send>();
  render(<TestForm send={send} />);
  await submit();
  expect(send).not.toHaveBeenCalled();
  expect(screen.getByRole('alert').textContent).not.toBe('');
  expect(document.activeElement).toBe(username());
});

test('a message goes as soon as its field is changed', async () => {
  render(<TestForm send={vi.fn<Send>()} />);
  await submit();
  await userEvent.type(username(), 'a');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what is accepted is handed on', async () => {
  const onDone = vi.fn();
  const send = vi.fn<Send>(async () => accepted);
  render(<TestForm send={send} onDone={onDone} />);
  await userEvent.type(username(), 'anna');
  await submit();
  expect(send).toHaveBeenCalledWith({ username: 'anna', phone: '' }, { username: 'anna' });
  expect(onDone).toHaveBeenCalledWith('made', { username: 'anna' });
});

test('a refusal by the server stands under the field it belongs to', async () => {
  const send: Send = async () => ({ code: 409, error: 'USERNAME_TAKEN', message: 'This name is taken' });
  render(<TestForm send={send} />);
  await userEvent.type(username(), 'anna');
  await submit();
  expect(username().getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('This name is taken');
});

test('a second press while the first is on its way sends nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<Envelope<string>>();
  const send = vi.fn<Send>(() => promise);
  render(<TestForm send={send} />);
  await userEvent.type(username(), 'anna');
  await submit();
  await userEvent.type(username(), '{Enter}');
  expect(send).toHaveBeenCalledOnce();
  resolve(accepted);
  await vi.waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).toBeNull());
});
