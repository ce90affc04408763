import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SplitDrawing } from './SplitDrawing.tsx';

const regions = (container: HTMLElement) =>
  [...container.querySelectorAll('[data-region]')].map((each) => each.getAttribute('data-region'));

test('a drawing is a picture with a name, whose regions are drawn to scale', () => {
  const { container } = render(<SplitDrawing orientation="vertical" split="three" />);
  const screenDrawn = screen.getByRole('img', { name: /Vertical.*/ });
  expect(regions(container)).toEqual(['top', 'middle', 'bottom']);
  expect(screenDrawn.style.gridTemplateRows).toMatch(/^([\d.]+)fr ([\d.]+)fr \1fr$/);
});

test('a horizontal screen has columns', () => {
  const { container } = render(<SplitDrawing orientation="horizontal" split="three" />);
  expect(regions(container)).toEqual(['left', 'middle', 'right']);
});

test('a split that the orientation does not have is not drawn', () => {
  const { container } = render(<SplitDrawing orientation="horizontal" split="two" />);
  expect(container.innerHTML).toBe('');
});

test('regions that can be picked are buttons with names', async () => {
  const onPick = vi.fn();
  render(<SplitDrawing orientation="vertical" split="two" active="top" onPick={onPick} />);
  expect(screen.getAllByRole('button', { pressed: true })).toHaveLength(1);
  const [, bottom] = screen.getAllByRole('button');
  if (bottom) await userEvent.click(bottom);
  expect(onPick).toHaveBeenCalledWith('bottom');
});
