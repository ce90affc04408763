import type { Call, Device, Envelope } from '@ams/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { useToast } from '../platform/toast.ts';
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

test('each screen is set for itself, and undoing one keeps the other', async () => {
  const sent = server();
  render(<SoundSheet device={twoScreens} onClose={() => undefined} />);
  const [main, secondary] = screen.getAllByRole('switch');
  if (!main || !secondary) throw new Error('a switch is missing');
  await userEvent.click(main);
  await userEvent.click(secondary);
  expect(sent.map(({ body }) => body)).toEqual([{ sound: { main: false } }, { sound: { secondary: true } }]);
  await sent[0]?.answer({ main: false, secondary: false });
  await sent[1]?.answer({ main: false, secondary: true });
  act(() => useToast.getState().offer?.undo());
  await waitFor(() => expect(sent).toHaveLength(3));
  await sent[2]?.answer({ main: false, secondary: true });
  await waitFor(() => expect(sent[3]?.body).toEqual({ sound: { main: false, secondary: false } }));
});
