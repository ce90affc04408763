import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Choice, Switch } from './Choice.tsx';

function Orientation() {
  const [value, setValue] = useState<'vertical' | 'horizontal'>('vertical');
  return (
    <Choice
      label="Orientation"
      value={value}
      options={[
        { value: 'vertical', label: 'Vertical' },
        { value: 'horizontal', label: 'Horizontal' },
      ]}
      onChange={setValue}
    />
  );
}

test('one of a few is a group of radio buttons', async () => {
  render(<Orientation />);
  expect(screen.getByRole('group', { name: 'Orientation' })).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Vertical', checked: true })).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Horizontal' }));
  expect(screen.getByRole('radio', { name: 'Horizontal', checked: true })).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Vertical', checked: false })).toBeTruthy();
});

test('a switch whose change is under way says so and takes no second press', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onChange = vi.fn(() => promise);
  render(<Switch label="Bookable" checked={false} onChange={onChange} />);
  const shown = screen.getByRole('switch', { name: 'Bookable' });
  await userEvent.dblClick(shown);
  expect(onChange).toHaveBeenCalledOnce();
  expect(shown.getAttribute('aria-busy')).toBe('true');
  resolve();
  await vi.waitFor(() => expect(shown.getAttribute('aria-busy')).toBeNull());
});

test('a switch asks for the other state and leaves its own to the page', async () => {
  const onChange = vi.fn();
  render(<Switch label="May log in" checked onChange={onChange} />);
  await userEvent.click(screen.getByRole('switch', { name: 'May log in', checked: true }));
  expect(onChange).toHaveBeenCalledWith(false);
  expect(screen.getByRole('switch', { checked: true })).toBeTruthy();
});
