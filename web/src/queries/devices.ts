import {
  type BatchBody,
  type CreateDeviceBody,
  type Device,
  type DeviceFile,
  type DeviceFilter,
  type PairBody,
  type UpdateDeviceBody,
  type Screen,
  batches,
  devices,
  type Envelope,
  type Orientation,
  otherOrientation,
  fillUrl,
  queryOfFilter,
} from '@ams/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, api, callsOf, download, type Sending, sendFile, unwrap, isApiError } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed, removeListed, replaceListed, restartLists } from '../platform/query.ts';
import { DEVICE_CONCERNS, type DeviceConcern } from '../platform/concerns.ts';
import { applied, BATCHES, DEVICES, HOME, invalidate, RELEASES } from './keys.ts';
import { rowQuery } from './row.ts';
import type { ReleaseTo } from './releaseTo.ts';

const calls = callsOf(devices);
const quiet = callsOf(devices, { quiet: true });
const batchCalls = callsOf(batches);
const quietBatches = callsOf(batches, { quiet: true });

const LIST = [...DEVICES, 'list'] as const;
const TOTAL = [...DEVICES, 'total'] as const;
const CONCERNS = [...DEVICES, 'concerns'] as const;

export type DeviceSort = z.input<typeof devices.list.query>['sort'];

/** Newest first unless `sort` says otherwise. */
export const devicesQuery = (filter: DeviceFilter, sort?: DeviceSort) =>
  pageQuery<Device>([...LIST, filter, sort], (page) =>
    calls.list({ query: { ...queryOfFilter(filter), ...page, sort } }),
  );

/** Devices that a release may be sent to. */
export const choosableDevicesQuery = (filter: DeviceFilter) =>
  pageQuery<Device>([...DEVICES, 'choose', filter], (page) =>
    calls.list({ query: { ...queryOfFilter(filter), ...page } }),
  );

export const deviceQuery = (id: string) => rowQuery([...DEVICES, 'one', id], LIST, () => calls.get({ params: { id } }));

const totalOf = async (filter: DeviceFilter, { list } = calls): Promise<number> =>
  (await unwrap(list({ query: { ...queryOfFilter(filter), limit: 1, total: 'true' } }))).total ?? 0;

/** How many devices a filter matches, loaded or not. */
export const deviceTotalQuery = (filter: DeviceFilter) =>
  queryOptions({ queryKey: [...TOTAL, filter], queryFn: () => totalOf(filter) });

const COUNT_AGAIN_MS = 30_000;

/** How many devices of a group need attention. They are counted anew every half a minute, not with each change by others. */
export const groupConcernsQuery = (group: string) =>
  queryOptions({
    queryKey: [...CONCERNS, group],
    queryFn: async (): Promise<Record<DeviceConcern, number>> => {
      const count = (name: DeviceConcern) => totalOf({ group, ...DEVICE_CONCERNS[name] }, quiet);
      const [offline, failed, expiring, stalled] = await Promise.all([
        count('offline'),
        count('failed'),
        count('expiring'),
        count('stalled'),
      ]);
      return { offline, failed, expiring, stalled };
    },
    refetchInterval: COUNT_AGAIN_MS,
  });

/** How many of the devices have a screen of the other orientation than an ad: the ad fills only a part of it. */
export const turnedQuery = (to: ReleaseTo, orientation: Orientation) =>
  queryOptions({
    queryKey: [...TOTAL, 'turned', to, orientation],
    queryFn: () => {
      const other = otherOrientation(orientation);
      if ('devices' in to) return to.devices.filter((device) => device.orientation === other).length;
      const { filter } = to;
      const excludesOthers = filter.fits === orientation || filter.orientation === orientation;
      return excludesOthers ? 0 : totalOf({ ...filter, orientation: other });
    },
  });

/** Areas in scope that contain a text, the most frequent first. */
export const areasQuery = (q: string) =>
  queryOptions({
    queryKey: [...DEVICES, 'areas', q],
    queryFn: async () => (await unwrap(calls.areas({ query: { q } }))).items,
    placeholderData: keepPreviousData,
  });

/** Tags in scope that contain a text, the most frequent first. */
export const tagsQuery = (q: string) =>
  queryOptions({
    queryKey: [...DEVICES, 'tags', q],
    queryFn: async () => (await unwrap(calls.tags({ query: { q } }))).items,
    placeholderData: keepPreviousData,
  });

/** The result of `turnedQuery`, outside of a component. */
export const countTurned = (to: ReleaseTo, orientation: Orientation): Promise<number> =>
  queryClient.fetchQuery(turnedQuery(to, orientation));

/** Files that a device holds and plays. */
export const deviceFilesQuery = (id: string) =>
  queryOptions({
    queryKey: [...DEVICES, 'files', id],
    queryFn: async (): Promise<DeviceFile[]> => (await unwrap(calls.listFiles({ params: { id } }))).items,
  });

/** The last seven days. `online` is part of the key: when the device comes or goes, it is another history. */
export const deviceHistoryQuery = (id: string, online: boolean) =>
  queryOptions({
    queryKey: [...DEVICES, 'history', id, online],
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

/**
 * The picture of a screen that was taken `at`, as an address: pictures that need the session cannot be linked to. The one
 * before is shown until it arrives, with its own time.
 */
export const screenshotQuery = (id: string, screen: Screen, at: string) =>
  queryOptions({
    queryKey: [...DEVICES, 'screenshot', id, screen, at],
    queryFn: async () => {
      const picture = await api.fetchBlob(fillUrl(devices.getScreenshot.url, { id }, { screen }));
      if (!picture) throw new Error('no picture');
      return { url: await dataAddress(picture), at };
    },
    staleTime: 'static',
    placeholderData: keepPreviousData,
  });

/** After the server named devices that changed: what lists show of them, and how many they are. */
export const refreshDevices = (ids: readonly string[]): Promise<unknown> =>
  Promise.all([refreshListed<Device>(LIST, ids, quiet), invalidate(TOTAL)]);

/** After the server named this device: its details and its files. */
export const refreshDevice = (id: string): Promise<unknown> =>
  invalidate(deviceQuery(id).queryKey, deviceFilesQuery(id).queryKey);

const listsChanged = (): Promise<unknown> => invalidate(LIST, TOTAL, CONCERNS, HOME);

/** A device as it is now, also where it is shown. */
export const readDevice = (id: string) =>
  applied(calls.get({ params: { id } }), (device) => queryClient.setQueryData(deviceQuery(id).queryKey, device));

/** Takes over what a change answered. */
async function stored(device: Device): Promise<void> {
  queryClient.setQueryData(deviceQuery(device.id).queryKey, device);
  replaceListed(LIST, [device]);
  await listsChanged();
}

/** Everything but lists that shows devices. */
const AROUND_LISTS = [TOTAL, CONCERNS, [...DEVICES, 'one'], [...DEVICES, 'files'], HOME, RELEASES] as const;

/** After many devices changed at once. */
export const manyDevicesChanged = (): Promise<unknown> =>
  Promise.all([restartLists(LIST), invalidate(...AROUND_LISTS)]);

/** After devices that a person chose changed at once: lists stay where they are; live events name the rows of long ones. */
const chosenDevicesChanged = (): Promise<unknown> =>
  Promise.all([refreshListed<Device>(LIST, [], quiet), invalidate(...AROUND_LISTS)]);

export const createDevice = (body: z.input<typeof CreateDeviceBody>) => applied(calls.create({ body }), stored);

export const updateDevice = (id: string, body: UpdateDeviceBody) =>
  applied(calls.update({ params: { id }, body }), stored);

/** Its own details stay in the cache: the page that shows them is about to close. */
export const deleteDevice = (id: string) =>
  applied(calls.delete({ params: { id } }), () => {
    removeListed(LIST, [id]);
    return listsChanged();
  });

export const previewPairing = ({ mac, code }: PairBody) => calls.previewPair({ body: { mac, code } });
export const pairDevice = (body: PairBody) => applied(calls.pair({ body }), stored);

export const requestScreenshot = (id: string) => calls.requestScreenshot({ params: { id } });

/** Runs a batch, or begins the job that does. One on more devices than expected is refused, and they are counted again. */
export const startBatch = (body: BatchBody) =>
  applied(
    batchCalls.start({ body }),
    () => void ('ids' in body ? chosenDevicesChanged() : manyDevicesChanged()),
    listsChanged,
  );

/** What a batch would change. */
export const batchPreviewQuery = (body: BatchBody) =>
  queryOptions({
    queryKey: [...BATCHES, 'preview', body],
    queryFn: async () => (await unwrap(batchCalls.start({ body: { ...body, dryRun: true } }))).preview,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const undoBatch = (undo: string) =>
  applied(batchCalls.undo({ body: { undo } }), () => void chosenDevicesChanged());

/** Restarts a device now, or when it is back online. */
export const restartDevice = (id: string) => batchCalls.start({ body: { ids: [id], action: 'restart' } });

const POLL_MS = 1000;
/** The longest time for which a result offers to undo a batch that can no longer be undone. */
const UNDO_POLL_MS = 5000;

/** A batch that runs as a job, asked for until it is done. `onGone` is called when the server does not know it. */
export const batchQuery = (id: string | undefined, onGone: () => void) =>
  queryOptions({
    queryKey: [...BATCHES, id],
    enabled: id !== undefined,
    queryFn: async () => {
      const answer = await quietBatches.get({ params: { id: id ?? '' } });
      if (answer.error === undefined) return answer.data;
      if (answer.error === 'NOT_FOUND') onGone();
      throw new ApiError(answer);
    },
    // Without a network the batch continues, and so does the polling: until it is done and can no longer be undone.
    refetchInterval: ({ state: { data, error } }) => {
      if (isApiError(error, 'NOT_FOUND')) return false;
      if (data?.job.state !== 'done') return POLL_MS;
      return data.undo !== undefined && UNDO_POLL_MS;
    },
  });

/** Devices chosen by hand, or all that a filter matches. */
export type Target = { ids: string[] } | { filter: DeviceFilter };

/** Saves devices as a spreadsheet. Resolves with whether it came. */
export const exportDevices = (target: Target, fileName: string): Promise<boolean> =>
  'ids' in target
    ? download(devices.exportChosen.url, fileName, target)
    : download(fillUrl(devices.export.url, {}, queryOfFilter(target.filter)), fileName);

export const downloadTemplate = (): Promise<boolean> => download(devices.template.url, 'batch import template.xls');

/** Sends a spreadsheet of devices. */
export const importDevices = (file: File, sending: Sending): Promise<Envelope<unknown>> =>
  applied(sendFile(devices.import.url, file, sending), listsChanged);
