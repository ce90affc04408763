import type { Ad, User } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { draftOfAd } from '../../ads/editor/draft.ts';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { newOrder } from '../../releases/form/order.ts';
import { KeptForms } from '../../ui/form/kept.ts';
import type { FormState } from './save.ts';
import { useReleaseForm } from './useReleaseForm.ts';

const OWNER = { id: '0190a000-0000-7000-8000-000000000001', username: 'anna', phone: null } as User;
const AD = {
  id: '0190a000-0000-7000-8000-000000000002',
  name: 'Autumn sale',
  orientation: 'vertical',
  split: 'full',
  regions: {
    full: [
      {
        kind: 'file',
        fileId: 'a',
        name: 'a.jpg',
        media: 'image',
        state: 'ready',
        durationMs: null,
        poster: null,
        url: null,
      },
    ],
  },
  updatedAt: '2026-11-21T12:00:00.000Z',
} as Ad;

const forms = new KeptForms<FormState>();

afterEach(() => {
  cleanup();
  // Before a reload, the browser would ask for it in the tests of other files.
  forms.placeAt('/').forget();
  vi.restoreAllMocks();
  queryClient.clear();
});

const aroundAt =
  (address: string) =>
  ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
    </QueryClientProvider>
  );
const Around = aroundAt('/');

test('devices and times that were chosen for a stored ad wait for their person, and an untouched form does not', () => {
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data: { items: [], next: null, total: 0 } });
  const start = { draft: draftOfAd(AD), order: newOrder(), base: AD };
  const open = () => renderHook(() => useReleaseForm(OWNER, start, forms.placeAt('/')), { wrapper: Around });

  open().unmount();
  expect(forms.placeAt('/').left()).toBeUndefined();

  const form = open();
  const schedule = { from: '2026-12-01', to: '2026-12-24', weekdays: [], hours: [] };
  act(() => form.result.current.setOrder({ ...newOrder(), schedule }));
  form.unmount();
  expect(forms.placeAt('/').left()?.order.schedule).toEqual(schedule);
});

test('an ad that somebody deleted meanwhile is saved as a new one, and goes to no other devices by itself', async () => {
  const made = { ...AD, id: '0190a000-0000-7000-8000-000000000003' };
  const transport = vi.spyOn(api, 'transport').mockImplementation(async ({ method, url }) => {
    if (url.startsWith(`/api/ads/${AD.id}`)) return { code: 404, error: 'NOT_FOUND', message: 'Not found' };
    if (method === 'POST' && url === '/api/ads') return { code: 200, message: 'ok', data: made };
    return { code: 200, message: 'ok', data: { items: [], next: null, total: 3 } };
  });
  const start = { draft: { ...draftOfAd(AD), name: 'Winter sale' }, order: newOrder(2), base: AD };
  const { result } = renderHook(() => useReleaseForm(OWNER, start, forms.placeAt('/')), { wrapper: Around });
  await act(() => result.current.saveOnly());
  expect(result.current.draft.name).toBe('Winter sale');
  expect(result.current.count).toBe(0);

  await act(() => result.current.saveOnly());
  const sent = transport.mock.calls.flatMap(([call]) =>
    call.method === 'POST' && call.url === '/api/ads' ? [call] : [],
  );
  expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ name: 'Winter sale', ownerId: OWNER.id })]);
});

test('an ad that is not stored begins with its content, also when the browser loads its second step again', () => {
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data: { items: [], next: null, total: 0 } });
  const open = (base: Ad | undefined) => {
    const start = { draft: draftOfAd(AD), order: newOrder(), base };
    return renderHook(() => useReleaseForm(OWNER, start, forms.placeAt('/')), { wrapper: aroundAt('/?step=devices') });
  };
  expect(open(AD).result.current.step).toBe('devices');
  const { result } = open(undefined);
  expect(result.current.step).toBe('content');
  act(() => result.current.toStep('devices'));
  expect(result.current.step).toBe('devices');
});

test('a file that somebody deleted meanwhile is shown where it can be removed', async () => {
  vi.spyOn(api, 'transport').mockImplementation(async ({ method }) =>
    method === 'GET'
      ? { code: 200, message: 'ok', data: { items: [], next: null, total: 0 } }
      : { code: 404, error: 'FILE_GONE', message: 'Deleted', details: { fileId: 'a' } },
  );
  const start = { draft: { ...draftOfAd(AD), name: 'Winter sale' }, order: newOrder(), base: AD };
  const { result } = renderHook(() => useReleaseForm(OWNER, start, forms.placeAt('/')), {
    wrapper: aroundAt('/?step=devices'),
  });
  expect(result.current.step).toBe('devices');
  await act(() => result.current.saveOnly());
  expect(result.current.draft.bySplit['vertical-full']?.full).toMatchObject([{ fileId: 'a', state: 'failed' }]);
  expect(result.current.step).toBe('content');
});
