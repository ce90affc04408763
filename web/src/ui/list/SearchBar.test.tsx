import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SearchBar } from './SearchBar.tsx';

const box = () => screen.getByRole('searchbox', { name: 'Search devices' });

test('it searches once typing rests, without the blanks around', async () => {
  const onSearch = vi.fn();
  render(<SearchBar value="" onSearch={onSearch} placeholder="Search devices" />);
  // Within one task: however slow the computer is, typing does not rest.
  for (const value of [' ', ' a', ' ab', ' ab ']) fireEvent.change(box(), { target: { value } });
  expect(onSearch).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(onSearch.mock.calls).toEqual([['ab']]));
});

test('Enter searches at once', () => {
  const onSearch = vi.fn();
  render(<SearchBar value="" onSearch={onSearch} placeholder="Search devices" />);
  fireEvent.change(box(), { target: { value: 'ab' } });
  // As Enter does.
  fireEvent.submit(screen.getByRole('search'));
  expect(onSearch.mock.calls).toEqual([['ab']]);
});

test('it can be emptied', async () => {
  const onSearch = vi.fn();
  render(<SearchBar value="door" onSearch={onSearch} placeholder="Search devices" />);
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(box()).toHaveProperty('value', '');
  await vi.waitFor(() => expect(onSearch).toHaveBeenCalledWith(''));
});

test('a search that changed elsewhere is shown', () => {
  const { rerender } = render(<SearchBar value="door" onSearch={() => undefined} placeholder="Search devices" />);
  rerender(<SearchBar value="" onSearch={() => undefined} placeholder="Search devices" />);
  expect(box()).toHaveProperty('value', '');
});
