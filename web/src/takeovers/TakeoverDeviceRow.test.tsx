import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { TakeoverDeviceRow } from './TakeoverDeviceRow.tsx';

const device = {
  id: '0190a000-0000-7000-8000-000000000001',
  mac: '02:00:5e:00:00:01',
  name: 'Lobby',
  ...{ online: true, expired: false, ready: false, told: false, showing: false },
};

test('a device that never knew of a takeover waits for it no longer than it runs', () => {
  const row = (state: 'running' | 'ended') => (
    <MemoryRouter>
      <TakeoverDeviceRow device={device} state={state} />
    </MemoryRouter>
  );
  const { rerender } = render(row('running'));
  expect(screen.queryByText('Waiting')).not.toBeNull();
  rerender(row('ended'));
  expect(screen.getByRole('link').textContent).toBe('Lobby');
});
