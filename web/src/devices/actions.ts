import { type Device, DeviceName, type UpdateDeviceBody, type Release, type UserRef } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import {
  batchCalls,
  calls,
  deviceChanged,
  deviceListsChanged,
  manyDevicesChanged,
  releaseCalls,
  releasesChanged,
} from '../queries/devices.ts';

export const deviceTitle = ({ name, mac }: Pick<Device, 'name' | 'mac'>): string => name || mac.toUpperCase();

/** Changes a device; true when it went well, so that a dialog may close. */
export async function changeDevice(device: Device, body: UpdateDeviceBody, done: string): Promise<boolean> {
  const answer = await calls.update({ params: { id: device.id }, body });
  if (answer.error !== undefined) return false;
  toast.success(done);
  await deviceChanged(answer.data);
  return true;
}

export function renameDevice(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('rename'),
    action: i18next.t('save'),
    input: { label: t('name'), schema: DeviceName, initial: device.name },
    run: (name) => changeDevice(device, { name: name.trim() }, i18next.t('saved')),
  });
}

export function changeOwner(device: Device, owner: UserRef): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('ownerTitle', { username: owner.username }),
    body: t('ownerBody'),
    action: t('changeOwner'),
    run: () => changeDevice(device, { ownerId: owner.id }, t('ownerChanged')),
  });
}

/** Deletes after a confirmation. Its own details are left alone: the page that shows them goes away. */
export function deleteDevice(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('deleteTitle', { device: deviceTitle(device) }),
    body: t('deleteBody'),
    action: t('deleteDevice'),
    danger: true,
    run: async () => {
      const answer = await calls.delete({ params: { id: device.id } });
      if (answer.error !== undefined) return false;
      toast.success(t('deviceDeleted'));
      await deviceListsChanged();
      return true;
    },
  });
}

/** Says whether a device does it now or when it is back. */
const told = ({ online }: Device): string =>
  i18next.getFixedT(null, 'devices')(online ? 'commandSent' : 'commandWaits');

export function restartDevice(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: `${t('restart')} · ${deviceTitle(device)}`,
    body: t('restartBody'),
    action: t('restart'),
    run: async () => {
      const answer = await batchCalls.start({ body: { ids: [device.id], action: 'restart' } });
      if (answer.error !== undefined) return false;
      toast.success(told(device));
      return true;
    },
  });
}

/** Takes back all that plays on a device and has it delete its files. */
export function clearDevice(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: `${t('clearFiles')} · ${deviceTitle(device)}`,
    body: t('clearBody'),
    action: t('clearFiles'),
    danger: true,
    run: async () => {
      const answer = await calls.clear({ params: { id: device.id } });
      if (answer.error !== undefined) return false;
      toast.success(told(device));
      await manyDevicesChanged();
      return true;
    },
  });
}

/** Withdraws from every device that it was released to, which the question says. */
export function withdrawRelease(release: Release): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('withdrawTitle', { ad: release.ad.name }),
    body: t('withdrawMany', { count: release.counts.total }),
    action: t('withdraw'),
    danger: true,
    run: async () => {
      const answer = await releaseCalls.withdraw({ params: { id: release.id } });
      if (answer.error !== undefined) return false;
      toast.success(t('releaseWithdrawn'));
      await Promise.all([releasesChanged(), deviceListsChanged()]);
      return true;
    },
  });
}
