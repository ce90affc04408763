import type { Campaign } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { useConfirm } from '../ui/feedback/confirm.ts';
import { askToCancel } from './actions.ts';

const campaign = (state: Campaign['state']) =>
  ({ id: '0190a000-0000-7000-8000-000000000001', name: 'Autumn', state }) as Campaign;

afterEach(() => void vi.restoreAllMocks());

/** Asks about a campaign that was `seen` and is `now`; answers whether the confirmation cancelled it. */
async function confirmed(seen: Campaign['state'], now: Campaign['state']) {
  const transport = vi
    .spyOn(api, 'transport')
    .mockImplementation(async () => ({ code: 200, message: 'ok', data: campaign(now) }));
  const asked = askToCancel(campaign(seen));
  const { pending } = useConfirm.getState();
  if ((await pending?.run?.('')) !== false) pending?.settle(true);
  return { done: await asked, cancelled: transport.mock.calls.some(([{ url }]) => url.endsWith('/cancel')) };
}

test('a request that was approved meanwhile is not cancelled as a request', async () => {
  expect(await confirmed('requested', 'booked')).toEqual({ done: false, cancelled: false });
  expect(await confirmed('requested', 'requested')).toEqual({ done: true, cancelled: true });
  expect(await confirmed('booked', 'booked')).toEqual({ done: true, cancelled: true });
});
