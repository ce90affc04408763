import type { Call, Envelope } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import type { TransferEvents } from '../platform/transfer/transfer.ts';
import { provideTransport } from '../platform/transfer/transport.ts';
import { apkUpload } from './upload.ts';

const ID = '0198a000-0000-7000-8000-000000000001';
const MAX_BYTES = 1000;

afterEach(() => {
  vi.restoreAllMocks();
  apkUpload.leave();
});

/** Transfers whose events the test triggers, and calls that it answers. */
function setup() {
  const transfers: TransferEvents[] = [];
  provideTransport({
    startTransfer: (_, events) => {
      transfers.push(events);
      return { stop: () => undefined };
    },
    discard: async () => undefined,
    lookUp: async () => false,
  });
  const calls: { url: string; answer: (answer: Envelope<unknown>) => void }[] = [];
  vi.spyOn(api, 'transport').mockImplementation(({ url }: Call) => {
    const { promise, resolve } = Promise.withResolvers<Envelope<unknown>>();
    calls.push({ url, answer: resolve });
    return promise;
  });
  apkUpload.choose(new File(['x'], 'player.apk'), MAX_BYTES);
  transfers[0]?.onDone(ID);
  return { transfers, calls };
}

const kind = () => apkUpload.store.getState().kind;

test('a version that arrived is not sent again when only the question for it was lost', async () => {
  const { transfers, calls } = setup();
  calls[0]?.answer({ code: 0, error: 'NETWORK', message: 'Network Error' });
  await vi.waitFor(() => expect(kind()).toBe('failed'));
  apkUpload.goOn();
  expect([transfers.length, calls.length]).toEqual([1, 2]);
  calls[1]?.answer({ code: 200, message: 'ok', data: { id: ID } });
  await vi.waitFor(() => expect(kind()).toBe('done'));
});

test('a version that arrived is not shown to the account that logged in meanwhile', async () => {
  const { calls } = setup();
  apkUpload.leave();
  calls[0]?.answer({ code: 200, message: 'ok', data: { id: ID } });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(kind()).toBe('none');
});
