import {
  type Device,
  type DeviceFile,
  type DeviceFilter,
  type Release,
  type Screen,
  batches,
  devices,
  fillUrl,
  releases,
} from '@ams/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed, restartLists } from '../platform/query.ts';

export const calls = callsOf(devices);
export const releaseCalls = callsOf(releases);
export const batchCalls = callsOf(batches);

const LIST = ['devices', 'list'] as const;

export const devicesQuery = (filter: DeviceFilter) =>
  pageQuery<Device>([...LIST, filter], (page) => calls.list({ query: { ...filter, ...page } }));

export const deviceQuery = (id: string) =>
  queryOptions({ queryKey: ['devices', 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

/** How many devices the filter shows, loaded or not. */
export const deviceTotalQuery = (filter: DeviceFilter) =>
  queryOptions({
    queryKey: ['devices', 'total', filter],
    queryFn: async () => (await unwrap(calls.list({ query: { ...filter, limit: 1, total: 'true' } }))).total ?? 0,
  });

/** Files that a device holds and plays. */
export const deviceFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', 'files', id],
    queryFn: async (): Promise<DeviceFile[]> => (await unwrap(calls.listFiles({ params: { id } }))).items,
  });

/** The last seven days. `online` is part of the key: when the device comes or goes, it is another history. */
export const historyQuery = (id: string, online: boolean) =>
  queryOptions({
    queryKey: ['devices', 'history', id, online],
    queryFn: () => unwrap(calls.history({ params: { id } })),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

const dataAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('unreadable')));
    reader.readAsDataURL(blob);
  });

/** The picture of a screen that was taken `at`, as an address: pictures that need the session cannot be linked to. */
export const screenshotQuery = (id: string, screen: Screen, at: string) =>
  queryOptions({
    queryKey: ['devices', 'screenshot', id, screen, at],
    queryFn: async () => {
      const picture = await api.fetchBlob(fillUrl(devices.getScreenshot.url, { id }, { screen }));
      if (!picture) throw new Error('no picture');
      return dataAddress(picture);
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });

/** Releases that a device takes part in, newest first; only those not withdrawn when `active`. */
export const releasesOnQuery = (device: string, active: boolean) =>
  pageQuery<Release>(['releases', 'list', { device, active }], (page) =>
    releaseCalls.list({ query: { device, ...page, ...(active && { active: 'true' as const }) } }),
  );

/** Programme of a device at an instant (milliseconds since 1970), or now, with reasons. */
export const programmeQuery = (id: string, at: number | undefined) =>
  queryOptions({
    queryKey: ['releases', 'programme', id, at],
    queryFn: () =>
      unwrap(
        releaseCalls.programme({
          params: { id },
          query: at === undefined ? {} : { at: new Date(at).toISOString() },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** After the server named devices that changed: what lists show of them. */
export const refreshDevices = (ids: readonly string[]): Promise<void> =>
  refreshListed<Device>(LIST, ids, (id) => calls.get({ params: { id } }));

/** Takes over what a change answered, and has lists and the numbers of the home page asked for again. */
export async function deviceChanged(device: Device): Promise<void> {
  queryClient.setQueryData(deviceQuery(device.id).queryKey, device);
  await deviceListsChanged();
}

/** After many devices changed at once. */
export const manyDevicesChanged = (): Promise<unknown> =>
  Promise.all([
    restartLists(LIST),
    ...['total', 'one', 'files'].map((part) => queryClient.invalidateQueries({ queryKey: ['devices', part] })),
    queryClient.invalidateQueries({ queryKey: ['home'] }),
    releasesChanged(),
  ]);

export const deviceListsChanged = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: LIST }),
    queryClient.invalidateQueries({ queryKey: ['home'] }),
  ]);

export const releasesChanged = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: ['releases'] });
