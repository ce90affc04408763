import type { Call, Envelope } from '@ams/contract';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { session } from '../platform/session.ts';
import { storage } from '../platform/storage.ts';
import LoginPage from '../session/pages/LoginPage.tsx';
import { handleFailures } from './failures.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  session.clear();
});

const Page = () => <p data-testid="page">{JSON.stringify(useLocation().state)}</p>;

test('whoever has to log in again finds the page with the devices that it was opened for', async () => {
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const data = url === '/api/settings' ? { captcha: false, selfRegister: false } : {};
    return { code: 200, message: 'ok', data };
  });
  storage.setToken('token', 60);
  session.check();
  const state = { releaseTo: { filter: { area: 'North' } } };
  const router = createMemoryRouter(
    [
      { path: '/takeover', Component: Page },
      { path: '/login', Component: LoginPage },
    ],
    { initialEntries: [{ pathname: '/takeover', search: '?ad=1', state }] },
  );
  handleFailures(router);
  render(<RouterProvider router={router} />);
  expect(screen.getByTestId('page').textContent).toBe(JSON.stringify(state));
  act(() => {
    session.clear();
    api.handlers.onUnauthenticated({ code: 401, error: 'UNAUTHENTICATED', message: 'Log in again.' });
  });
  await userEvent.type(await screen.findByLabelText('Username'), 'anna');
  await userEvent.type(screen.getByLabelText('Password'), 'secret12');
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
  expect((await screen.findByTestId('page')).textContent).toBe(JSON.stringify(state));
});
