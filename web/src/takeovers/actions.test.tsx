import type { Takeover } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { useConfirm } from '../ui/feedback/confirm.ts';
import { askToEnd } from './actions.ts';

const ID = '0190a000-0000-7000-8000-000000000001';
const takeover = (state: Takeover['state']) => ({ id: ID, ad: { id: 'a', name: 'Alarm' }, state }) as Takeover;

afterEach(() => void vi.restoreAllMocks());

/** Asks about a takeover that was `seen` and is `now`; answers the calls that the confirmation made. */
async function confirmed(seen: Takeover['state'], now: Takeover['state']) {
  const transport = vi
    .spyOn(api, 'transport')
    .mockImplementation(async () => ({ code: 200, message: 'ok', data: takeover(now) }));
  const asked = askToEnd(takeover(seen));
  const { pending } = useConfirm.getState();
  if ((await pending?.run?.('')) !== false) pending?.settle(true);
  return { done: await asked, ended: transport.mock.calls.some(([{ url }]) => url.endsWith('/end')) };
}

test('a takeover that somebody started is not ended as a prepared one', async () => {
  expect(await confirmed('prepared', 'running')).toEqual({ done: false, ended: false });
  expect(await confirmed('prepared', 'prepared')).toEqual({ done: true, ended: true });
  expect(await confirmed('running', 'running')).toEqual({ done: true, ended: true });
});
