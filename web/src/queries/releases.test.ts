import type { Call, Envelope } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { liveReleases, undoOfWithdrawal } from './releases.ts';

afterEach(() => void vi.restoreAllMocks());

/** Calls that got this answer instead of one of the server. */
function answered(answer: (call: Call) => Envelope<unknown>): Call[] {
  const calls: Call[] = [];
  vi.spyOn(api, 'transport').mockImplementation((call) => {
    calls.push(call);
    return Promise.resolve(answer(call));
  });
  return calls;
}

const LOST = { code: 0, error: 'NETWORK', message: 'Network Error' } as const;

test('the releases of an ad that could not be listed are not taken for none', async () => {
  const calls = answered(() => LOST);
  expect(await liveReleases('0198a000-0000-7000-8000-000000000001')).toBeUndefined();
  expect(calls.map(({ method }) => method)).toEqual(['GET']);
});

test('the withdrawal of a release can be undone, except for one of a campaign or takeover', async () => {
  const id = '0198a000-0000-7000-8000-000000000002';
  const plain = { id, campaignId: null, priority: 'normal' as const };
  const calls = answered(() => LOST);
  expect(await undoOfWithdrawal([plain])?.()).toBe(false);
  expect(calls.map(({ method, url }) => `${method} ${url}`)).toContain(`POST /api/releases/${id}/restore`);
  expect(undoOfWithdrawal([plain, { ...plain, campaignId: id }])).toBeUndefined();
  expect(undoOfWithdrawal([{ ...plain, priority: 'takeover' }])).toBeUndefined();
});
