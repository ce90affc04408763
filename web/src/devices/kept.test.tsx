import type { Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { session } from '../platform/session.ts';
import { storage } from '../platform/storage.ts';
import { DeviceExpirySheet } from './DeviceExpirySheet.tsx';
import { BatchHoursSheet } from './hours/BatchHoursSheet.tsx';
import { BatchLevelsSheet } from './hours/BatchLevelsSheet.tsx';
import { DeviceHoursSheet } from './hours/DeviceHoursSheet.tsx';
import { LevelsSheet } from './hours/LevelsSheet.tsx';

const one = device();
const target = { ids: [one.id] };
const ignore = () => undefined;

function logIn(): void {
  storage.setToken('token', 60);
  const ann = encodeURIComponent(JSON.stringify({ id: 'ann', username: 'ann', name: 'Ann', access: 'operator' }));
  act(() => session.take((name) => (name === 'person' ? ann : undefined)));
}

beforeEach(() => {
  vi.spyOn(api, 'transport').mockImplementation(async (_: Call): Promise<Envelope<unknown>> => {
    const preview = { changes: [], unchanged: 0, earlier: 0 };
    return { code: 200, message: 'ok', data: { done: 0, failed: [], preview } };
  });
  logIn();
});

afterEach(() => {
  act(() => session.clear());
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const show = (sheet: ReactNode) => render(<QueryClientProvider client={queryClient}>{sheet}</QueryClientProvider>);

const press = async (role: 'radio' | 'switch', name: string, index = 0) => {
  const found = screen.getAllByRole(role, { name })[index];
  if (found) await userEvent.click(found);
};
const firstTime = () => document.querySelector<HTMLInputElement>('input[type=time]');
const setTime = () => fireEvent.change(firstTime() ?? document.body, { target: { value: '06:15' } });

/** Each sheet, a change in it, and whether that is in it. */
const SHEETS: [string, ReactNode, () => unknown, () => unknown][] = [
  [
    'working hours of a device',
    <DeviceHoursSheet key="" device={one} onClose={ignore} />,
    async () => {
      await press('radio', 'Set hours');
      setTime();
    },
    () => firstTime()?.value === '06:15',
  ],
  [
    'working hours of many devices',
    <BatchHoursSheet key="" title="Hours" target={target} onSave={async () => true} onClose={ignore} />,
    async () => {
      await press('radio', 'Set hours');
      setTime();
    },
    () => firstTime()?.value === '06:15',
  ],
  [
    'levels of a device',
    <LevelsSheet key="" device={one} onClose={ignore} />,
    () => press('switch', 'Volume'),
    () => screen.getByRole('switch', { name: 'Volume' }).getAttribute('aria-checked') === 'true',
  ],
  [
    'levels of many devices',
    <BatchLevelsSheet key="" title="Levels" target={target} onSave={async () => true} onClose={ignore} />,
    () => press('radio', 'Change', 1),
    () => screen.getAllByRole<HTMLInputElement>('radio', { name: 'Change' })[1]?.checked,
  ],
  [
    'expiry date',
    <DeviceExpirySheet key="" device={one} onClose={ignore} />,
    () => press('radio', 'Does not expire'),
    () => screen.getByRole<HTMLInputElement>('radio', { name: 'Does not expire' }).checked,
  ],
];

test.each(SHEETS)(
  'what was set when the session ended is there after the next log-in: %s',
  async (_, sheet, set, isSet) => {
    show(sheet);
    await set();
    expect(isSet()).toBe(true);
    act(() => session.clear());
    cleanup();
    logIn();
    show(sheet);
    expect(isSet()).toBe(true);
    cleanup();
    show(sheet);
    expect(isSet(), 'the sheet was closed').not.toBe(true);
  },
);
