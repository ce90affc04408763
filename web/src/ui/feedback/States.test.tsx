import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../platform/api.ts';
import { EmptyState, ErrorState } from './States.tsx';

test('an empty place says what to do', () => {
  render(<EmptyState title="No devices" hint="Add the first one." action={<button type="button">Add</button>} />);
  expect(screen.getByRole('heading', { name: 'No devices' })).toBeTruthy();
  expect(screen.getByText('Add the first one.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy();
});

test('what could not be loaded says why and can be retried', async () => {
  const onRetry = vi.fn();
  render(<ErrorState error={new Error('Network Error')} onRetry={onRetry} />);
  expect(screen.getByRole('alert').textContent).toContain('Network Error');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('a server that did not answer is named in the language of the person', () => {
  const error = new ApiError({ code: 0, error: 'NETWORK', message: 'Network Error' });
  render(<ErrorState error={error} onRetry={() => undefined} />);
  expect(screen.getByRole('alert').textContent).toContain('The server did not answer. Check the connection');
});

test('what does not exist leads home instead', () => {
  const error = new ApiError({ code: 404, error: 'NOT_FOUND', message: 'Not found' });
  render(
    <MemoryRouter>
      <ErrorState error={error} onRetry={() => undefined} />
    </MemoryRouter>,
  );
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/');
});
