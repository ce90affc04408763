import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { FieldFrame, TextControl, type TextControlProps } from './Field.tsx';

function Field({ error, ...control }: Partial<TextControlProps>) {
  const [value, setValue] = useState('');
  return (
    <FieldFrame id="f" label="Name" hint="As on the door" error={error}>
      <TextControl {...control} id="f" value={value} onChange={setValue} error={error} />
    </FieldFrame>
  );
}

test('the label names the control and the hint describes it', async () => {
  render(<Field />);
  const input = screen.getByRole('textbox', { name: 'Name', description: 'As on the door' });
  await userEvent.type(input, 'Anna');
  expect(input).toHaveProperty('value', 'Anna');
});

test('an error replaces the hint, is announced and marks the control', () => {
  render(<Field error="Input a name" />);
  expect(screen.getByRole('alert').textContent).toBe('Input a name');
  expect(screen.queryByText('As on the door')).toBeNull();
  expect(screen.getByRole('textbox', { description: 'Input a name' }).getAttribute('aria-invalid')).toBe('true');
});

test('a password is hidden until it is asked to be shown', async () => {
  render(<Field type="password" />);
  const input = screen.getByLabelText('Name');
  expect(input).toHaveProperty('type', 'password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input).toHaveProperty('type', 'text');
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(input).toHaveProperty('type', 'password');
});

test('several lines are an area', () => {
  render(<Field multiline />);
  expect(screen.getByRole('textbox', { name: 'Name' }).tagName).toBe('TEXTAREA');
});

test('what is typed into a date stays when the address has it later, and gives way to what is chosen elsewhere', () => {
  const control = (value: string) => (
    <FieldFrame id="f" label="Day">
      <TextControl id="f" type="date" value={value} onChange={() => undefined} />
    </FieldFrame>
  );
  const { rerender } = render(control(''));
  const field = screen.getByLabelText<HTMLInputElement>('Day');
  const type = (value: string) => {
    fireEvent.change(field, { target: { value } });
    expect(field.value).toBe(value);
  };
  type('0002-12-24');
  type('0020-12-24');
  rerender(control('0002-12-24'));
  expect(field.value).toBe('0020-12-24');
  rerender(control('2027-01-01'));
  expect(field.value).toBe('2027-01-01');
});
