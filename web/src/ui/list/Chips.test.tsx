import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Chips } from './Chips.tsx';

test('one of the filters is pressed, and pressing another asks for it', async () => {
  const onChange = vi.fn();
  const options = [
    { value: undefined, label: 'All' },
    { value: 'online', label: 'Online' },
  ];
  render(<Chips label="Connection" value={undefined} options={options} onChange={onChange} />);
  expect(screen.getByRole('group', { name: 'Connection' })).toBeTruthy();
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('All');
  await userEvent.click(screen.getByRole('button', { name: 'Online' }));
  expect(onChange).toHaveBeenCalledWith('online');
});
