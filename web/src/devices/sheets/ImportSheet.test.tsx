import type { Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { session } from '../../platform/session.ts';
import { useToast } from '../../platform/toast.ts';
import { forgetImport } from './importing.ts';
import { ImportSheet } from './ImportSheet.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  forgetImport();
  queryClient.clear();
  useToast.setState({ shown: undefined });
});

type Transfer = NonNullable<Parameters<typeof api.transport>[2]>;

/** A server that receives sheets and answers on request. */
function server() {
  const sent: { transfer: Transfer; answer: (answer: Envelope<unknown>) => void }[] = [];
  vi.spyOn(api, 'transport').mockImplementation(
    (_call, _manner, transfer = {}) => new Promise((answer) => sent.push({ transfer, answer })),
  );
  return {
    sent,
    /** The newest sheet has arrived up to this share. */
    arrives: (share: number) =>
      act(() =>
        sent.at(-1)?.transfer.onUploadProgress?.({ progress: share, loaded: share, bytes: 1, lengthComputable: true }),
      ),
    answers: (answer: Envelope<unknown>) => act(async () => sent.at(-1)?.answer(answer)),
  };
}

const sheet = new File(['mac\n'], 'hall.csv', { type: 'text/csv' });
const empty = { name: '', owner: '', expires: '', area: '', address: '', tags: '' };
const report: Envelope<unknown> = {
  code: 200,
  message: 'ok',
  data: { added: 2, rejected: [{ ...empty, row: 3, mac: 'x', reason: 'macInvalid', message: 'No MAC address' }] },
};
const lost: Envelope<unknown> = { code: 0, error: 'NETWORK', message: 'Network Error' };

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <ImportSheet onClose={() => undefined} />
    </QueryClientProvider>,
  );
const choose = () => userEvent.upload(screen.getByTestId('sheet'), sheet);

test('a sheet that is closed while its rows are read ends with a message, and with its report when it is opened again', async () => {
  const { sent, arrives, answers } = server();
  const { unmount } = open();
  await choose();
  arrives(1);
  unmount();
  expect(sent[0]?.transfer.signal?.aborted).toBe(false);
  await answers(report);
  expect(useToast.getState().shown?.text).toBe('2 devices added · 1 row not added');
  open();
  expect(screen.getByRole('status').textContent).toContain('1row not added');
});

test('a sheet that is closed while it is sent is not imported', async () => {
  const { sent, arrives, answers } = server();
  const { unmount } = open();
  await choose();
  arrives(0.4);
  unmount();
  expect(sent[0]?.transfer.signal?.aborted).toBe(true);
  await answers(lost);
  expect(useToast.getState().shown).toBeUndefined();
  open();
  expect(screen.getByTestId('sheet')).toBeTruthy();
});

test('without an answer to the whole sheet it is unknown what was added, and another try brings the report', async () => {
  const { sent, arrives, answers } = server();
  open();
  await choose();
  arrives(1);
  await answers(lost);
  expect(screen.getByRole('alert').textContent).toContain('It is not known whether devices were added');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(sent).toHaveLength(2);
  expect(sent[1]?.transfer.key).toBe(sent[0]?.transfer.key);
  await answers(report);
  expect(screen.getByRole('status').textContent).toContain('1row not added');
});

test('when only a part of the sheet was sent, nothing was imported', async () => {
  const { arrives, answers } = server();
  open();
  await choose();
  arrives(0.9);
  await answers(lost);
  expect(screen.getByRole('alert').textContent).toContain('Nothing was imported');
});

test('the report of a person is not shown to the next one', async () => {
  const { arrives, answers } = server();
  session.store.setState({ signedIn: true });
  const { unmount } = open();
  await choose();
  arrives(1);
  unmount();
  await answers(report);
  act(() => session.store.setState({ signedIn: false }));
  open();
  expect(screen.getByTestId('sheet')).toBeTruthy();
});
