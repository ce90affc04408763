import { BATCH_IDS_MAX, type Device, type DeviceFilter } from '@ams/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useRef } from 'react';
import { toast } from '../../platform/toast.ts';
import { useSelection } from '../../ui/list/select/selection.ts';
import { type DeviceSort, devicesQuery, deviceTotalQuery, type Target } from '../../queries/devices.ts';

/** What the batch menu has to know of a device. */
export type Named = Pick<Device, 'name' | 'mac' | 'orientation' | 'pairedAt'>;

/** Which devices of the list are chosen: some by hand, or all that the filter shows, loaded or not. */
export function useChosenDevices(filter: DeviceFilter, sort?: DeviceSort) {
  const { selection, choose, chooseAll, toggle, end } = useSelection(JSON.stringify(filter));
  const selecting = selection.mode !== 'off';
  const total = useQuery({ ...deviceTotalQuery(filter), enabled: selecting }).data;
  const loaded = useInfiniteQuery({ ...devicesQuery(filter, sort), enabled: selecting }).data?.pages ?? [];
  const ids = selection.mode === 'on' ? selection.ids : new Set<string>();
  const all = selection.mode === 'all';
  const target: Target = all ? { filter } : { ids: [...ids] };

  /** Names of the selected devices, even if they are no longer in the list. */
  const named = useRef(new Map<string, Named>());
  const note = ({ id, name, mac, orientation, pairedAt }: Device) =>
    named.current.set(id, { name, mac, orientation, pairedAt });
  const toggleOne = (device: Device) => {
    const { id } = device;
    note(device);
    // One taken out of all: what is left are those that can be seen.
    if (all) {
      for (const { items } of loaded) items.forEach(note);
      const others = loaded.flatMap(({ items }) => items.map((each) => each.id)).filter((other) => other !== id);
      choose(others.slice(0, BATCH_IDS_MAX));
    } else if (ids.size >= BATCH_IDS_MAX && !ids.has(id)) toast.info(i18next.t('alreadyLargest'));
    else toggle(id);
  };

  /** Selects these and no others; nothing ends the selection. */
  const chooseThese = (devices: Device[]) => {
    if (devices.length === 0) return end();
    if (devices.length > BATCH_IDS_MAX) toast.info(i18next.t('alreadyLargest'));
    const taken = devices.slice(0, BATCH_IDS_MAX);
    taken.forEach(note);
    choose(taken.map(({ id }) => id));
  };

  return {
    selecting,
    target,
    count: all ? (total ?? 0) : ids.size,
    total,
    named,
    has: (id: string) => all || ids.has(id),
    begin: () => choose([]),
    choose: chooseThese,
    toggle: toggleOne,
    onAll: chooseAll,
    onEnd: end,
  };
}
