import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { PICKER_OPTION_HEIGHT } from '../../platform/constants.ts';
import DateWheel from './DateWheel.tsx';

function Wheel({ start, onChange }: { start: string; onChange: (date: string) => void }) {
  const [date, setDate] = useState(start);
  const change = (next: string) => {
    setDate(next);
    onChange(next);
  };
  return <DateWheel label="Expiry date" value={date} min="2016-01-01" max="2036-12-31" onChange={change} />;
}

const column = (name: string) => screen.getByRole('listbox', { name });
const chosen = (name: string) => within(column(name)).getByRole('option', { selected: true });

test('three named columns show the date in the words of the language', () => {
  render(<Wheel start="2026-11-22" onChange={() => undefined} />);
  expect(screen.getByRole('group', { name: 'Expiry date' })).toBeTruthy();
  expect(screen.getAllByRole('listbox').map((each) => each.getAttribute('aria-label'))).toEqual([
    'month',
    'day',
    'year',
  ]);
  expect(['month', 'day', 'year'].map((name) => chosen(name).textContent)).toEqual(['November', '22', '2026']);
  expect(within(column('year')).getAllByRole('option')).toHaveLength(21);
});

test('the arrow keys choose in a column, and the day follows the month', async () => {
  const onChange = vi.fn();
  render(<Wheel start="2026-01-31" onChange={onChange} />);
  chosen('month').focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(onChange).toHaveBeenLastCalledWith('2026-02-28');
  expect(chosen('day').textContent).toBe('28');
});

test('a press chooses an option', async () => {
  const onChange = vi.fn();
  render(<Wheel start="2026-11-22" onChange={onChange} />);
  await userEvent.click(within(column('year')).getByRole('option', { name: '2028' }));
  expect(onChange).toHaveBeenLastCalledWith('2028-11-22');
});

test('the chosen option stands in the middle, and scrolling chooses what comes there', async () => {
  const onChange = vi.fn();
  render(<Wheel start="2026-11-22" onChange={onChange} />);
  const day = column('day');
  expect(day.scrollTop).toBe(21 * PICKER_OPTION_HEIGHT);
  day.scrollTop = 9 * PICKER_OPTION_HEIGHT + 10;
  day.dispatchEvent(new Event('scroll'));
  await vi.waitFor(() => expect(onChange).toHaveBeenLastCalledWith('2026-11-10'));
});
