import { DEVICE_VERDICTS, type DeviceVerdict, DOWNLOAD_FAILURES } from '@ams/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { device } from '../../test/device.ts';
import { session } from '../platform/session.ts';
import { DeviceVerdictCard } from './Verdict.tsx';

const merchant = { id: '0190a000-0000-7000-8000-000000000009', username: 'dealer', phone: '+49 30 1234567' };

/** Signs in a user of a role, whose superior is the merchant. */
function signIn(role: 'leading' | 'member'): void {
  const headers = new Map([
    ['role', role],
    ['superior', encodeURIComponent(JSON.stringify(merchant))],
  ]);
  session.take((name) => headers.get(name));
}

afterEach(() => session.clear());

/** Buttons and links beside the verdict on a device. */
function actionsFor(verdict: Partial<DeviceVerdict>): string[] {
  const shown = device({ pairedAt: '2026-11-20T12:00:00.000Z', verdict: { ...device().verdict, ...verdict } });
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <DeviceVerdictCard device={shown} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const actions = [...screen.queryAllByRole('button'), ...screen.queryAllByRole('link')];
  const texts = actions.map(({ textContent }) => textContent);
  unmount();
  return texts;
}

test('each verdict that somebody can change has the action that does', () => {
  signIn('leading');
  const kinds = DEVICE_VERDICTS.filter((kind) => kind !== 'failed');
  expect(Object.fromEntries(kinds.map((kind) => [kind, actionsFor({ kind })]))).toEqual({
    offline: [],
    expired: ['Set expiry date'],
    dark: ['Working hours'],
    nothing: ['Release an ad'],
    later: ['Calendar'],
    downloading: [],
    finished: ['Release an ad'],
    plays: [],
  });
});

test('a failure has the action that its advice names', () => {
  signIn('leading');
  const actions = DOWNLOAD_FAILURES.map((reason) => [reason, actionsFor({ kind: 'failed', reason })]);
  expect(Object.fromEntries(actions)).toEqual({
    diskFull: ['Delete ad files'],
    checksum: ['Retry'],
    unreachable: ['Retry'],
    cannotPlay: ['Retry'],
    storage: ['Restart'],
    appFailed: ['Restart'],
  });
});

test('who cannot extend an expired device calls the merchant', () => {
  signIn('member');
  expect(actionsFor({ kind: 'expired' })).toEqual(['Call +49 30 1234567']);
});
