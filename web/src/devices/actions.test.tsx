import type { Call, Device } from '@ams/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../test/device.ts';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { useToast } from '../platform/toast.ts';
import { deviceQuery } from '../queries/devices.ts';
import { changeDevice } from './actions.ts';

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

const before = device({ name: 'Hall', tags: ['lyon'] });

/** A server with this one device; `sent` are the changes that it got. */
function server() {
  const state = { device: before, sent: new Array<unknown>() };
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, body }: Call) => {
    if (method === 'PATCH') {
      state.sent.push(body);
      state.device = { ...state.device, ...(body as Partial<Device>) };
    }
    return { code: 200, message: 'ok', data: structuredClone(state.device) };
  });
  return state;
}

const settled = (kind: string) => vi.waitFor(() => expect(useToast.getState().shown?.kind).toBe(kind));

test('undoing gives back what was changed, beside what somebody else changed of other settings', async () => {
  const state = server();
  expect(await changeDevice(before, { name: 'Door' }, 'saved')).toBe(true);
  state.device = { ...state.device, tags: ['paris'] };
  useToast.getState().offer?.undo();
  await settled('success');
  expect(state.sent).toEqual([{ name: 'Door' }, { name: 'Hall' }]);
  expect(state.device).toMatchObject({ name: 'Hall', tags: ['paris'] });
});

test('undoing leaves what somebody else set meanwhile, says so and shows it', async () => {
  const state = server();
  expect(await changeDevice(before, { name: 'Door' }, 'saved')).toBe(true);
  state.device = { ...state.device, name: 'Gate' };
  useToast.getState().offer?.undo();
  await settled('fail');
  expect(useToast.getState().shown?.text).toBe('Someone else has changed this. Reload and try again.');
  expect(state.sent).toEqual([{ name: 'Door' }]);
  expect(queryClient.getQueryData<Device>(deviceQuery(before.id).queryKey)?.name).toBe('Gate');
});
