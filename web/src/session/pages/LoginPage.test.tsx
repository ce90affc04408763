import type { Call, Envelope } from '@ams/contract';
import { render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import LoginPage from './LoginPage.tsx';

afterEach(() => void vi.restoreAllMocks());

test('a page that was opened while the server did not answer asks for no code that nobody can see', async () => {
  const lost: Envelope<unknown> = { code: 503, error: 'HTTP', message: 'Request failed with status code 503' };
  const settings: Envelope<unknown> = { code: 200, message: 'ok', data: { captcha: false, selfRegister: true } };
  let tries = 0;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) =>
    url === '/api/settings' && tries++ > 0 ? settings : lost,
  );
  render(
    <MemoryRouter>
      <LoginPage />
    </MemoryRouter>,
  );
  expect(screen.getByLabelText('Verification code')).toBeTruthy();
  await waitFor(() => expect(screen.queryByLabelText('Verification code')).toBeNull());
});
