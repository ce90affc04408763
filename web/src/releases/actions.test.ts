import type { Call, Release } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { toast } from '../platform/toast.ts';
import { withdrawOne } from './actions.ts';

afterEach(() => void vi.restoreAllMocks());

const ID = '0198a000-0000-7000-8000-000000000001';

/** What is told after this release was withdrawn. */
async function told(release: Partial<Release>): Promise<'success' | 'undo'> {
  vi.restoreAllMocks();
  const success = vi.spyOn(toast, 'success').mockReturnValue();
  const undo = vi.spyOn(toast, 'offerUndo').mockReturnValue();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of the release is read
  const whole = { id: ID, priority: 'normal', campaignId: null, ...release } as Release;
  vi.spyOn(api, 'transport').mockImplementation((_call: Call) =>
    Promise.resolve({ code: 200, message: '', data: whole }),
  );
  expect(await withdrawOne(whole, 'Withdrawn')).toBe(true);
  expect(success.mock.calls.length + undo.mock.calls.length).toBe(1);
  return undo.mock.calls.length === 1 ? 'undo' : 'success';
}

test('undo is offered for a withdrawn release, except for one of a campaign', async () => {
  expect(await told({})).toBe('undo');
  expect(await told({ campaignId: ID })).toBe('success');
});
