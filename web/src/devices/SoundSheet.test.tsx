import type { Call, Device, Envelope } from '@ams/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { SoundSheet } from './SoundSheet.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

const twoScreens = device({
  screens: [{ name: 'main' }, { name: 'secondary' }],
  sound: { main: true, secondary: false },
});

/** The calls for the device, each answered by the test. */
function server() {
  const sent: { body: unknown; answer: (sound: Device['sound']) => Promise<void> }[] = [];
  vi.spyOn(api, 'transport').mockImplementation(({ body }: Call) => {
    const { promise, resolve } = Promise.withResolvers<Envelope<unknown>>();
    const answer = (sound: Device['sound']) =>
      act(async () => resolve({ code: 200, message: 'ok', data: { ...twoScreens, sound } }));
    sent.push({ body, answer });
    return promise;
  });
  return sent;
}

test('the second screen does not take back what was just set for the first one', async () => {
  const sent = server();
  render(<SoundSheet device={twoScreens} onClose={() => undefined} />);
  const [main, secondary] = screen.getAllByRole('switch');
  if (!main || !secondary) throw new Error('a switch is missing');
  await userEvent.click(main);
  await userEvent.click(secondary);
  await sent[0]?.answer({ main: false, secondary: false });
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toEqual({ sound: { main: false, secondary: true } });
});
