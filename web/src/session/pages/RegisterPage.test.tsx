import type { Call, Envelope } from '@ams/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import RegisterPage from './RegisterPage.tsx';

afterEach(() => void vi.restoreAllMocks());

const answers = (data: unknown): Envelope<unknown> => ({ code: 200, message: 'ok', data });
const lost: Envelope<unknown> = { code: 0, error: 'TIMEOUT', message: 'timeout of 5000 ms exceeded' };

test('a code whose check was not answered is checked again', async () => {
  const superior = { id: '0198a000-0000-7000-8000-000000000001', username: 'dealer', phone: null };
  let checks = 0;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) => {
    if (url !== '/api/checkregistercode') return answers({ captcha: false, selfRegister: false });
    return checks++ === 0 ? lost : answers({ superior });
  });
  const router = createMemoryRouter([{ path: '/register/:code', Component: RegisterPage }], {
    initialEntries: ['/register/ABCD2345'],
  });
  render(<RouterProvider router={router} />);
  await screen.findByRole('alert');
  await userEvent.click(screen.getByRole('button', { name: 'Check code' }));
  expect(await screen.findByLabelText('Username')).toBeTruthy();
});
