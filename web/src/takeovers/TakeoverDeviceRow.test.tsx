import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { TakeoverDeviceRow } from './TakeoverDeviceRow.tsx';

const device = {
  id: '0190a000-0000-7000-8000-000000000001',
  mac: '02:00:5e:00:00:01',
  name: 'Lobby',
  ...{ online: true, expired: false, ready: false, told: false, showing: false, shown: false },
};

const row = (state: 'running' | 'ended', startedAt: string | null = '2026-11-30T12:00:00.000Z') => (
  <MemoryRouter>
    <TakeoverDeviceRow device={device} takeover={{ state, startedAt }} />
  </MemoryRouter>
);

test('a device that never knew of a takeover waits for it no longer than it runs', () => {
  const { rerender } = render(row('running'));
  expect(screen.queryByText('Waiting')).not.toBeNull();
  rerender(row('ended'));
  expect(screen.queryByText('Waiting')).toBeNull();
  expect(screen.getByRole('link').textContent).toBe('LobbyNo play reported');
});

test('nobody expected a takeover that was prepared and discarded', () => {
  render(row('ended', null));
  expect(screen.getByRole('link').textContent).toBe('Lobby');
});
