import { type Device, deviceLabel, DeviceName, type UpdateDeviceBody, type Release, type UserRef } from '@ams/contract';
import i18next from 'i18next';
import { succeeded, succeededUndoably } from '../ui/feedback/outcome.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { isLeft } from './batch/batchOfOne.ts';
import { deleteDevice, restartDevice, updateDevice } from '../queries/devices.ts';
import { undoOfWithdrawal, withdrawRelease } from '../queries/releases.ts';

/** Settings that are sent as a device has them: those of before can be given back. */
type Settings = Omit<UpdateDeviceBody, 'ownerId' | 'expiresAt' | 'timeZone' | 'workingHours'>;

/** Gives a device the settings of `before` that have these names; true when it did. */
export async function giveBack(before: Device, names: readonly string[]): Promise<boolean> {
  const settings: Settings = Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)));
  return (await updateDevice(before.id, settings)).error === undefined;
}

/** Changes settings of a device, which can be undone; true when it went well, so that a dialog may close. */
export const changeDevice = async (device: Device, body: Settings, text: string): Promise<boolean> =>
  succeededUndoably(await updateDevice(device.id, body), text, () => giveBack(device, Object.keys(body)));

export function askToRename(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('rename'),
    action: i18next.t('save'),
    input: { label: t('name'), schema: DeviceName, initial: device.name },
    run: (name) => changeDevice(device, { name: name.trim() }, i18next.t('saved')),
  });
}

/** `run` gives the device to the owner. */
export function askToReassign(owner: UserRef, run: () => Promise<boolean>): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('ownerTitle', { username: owner.username }),
    body: t('ownerBody'),
    action: t('changeOwner'),
    run,
  });
}

/** Deletes after a confirmation. Its own details are left alone: the page that shows them goes away. */
export function askToDelete(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('deleteTitle', { device: deviceLabel(device) }),
    body: t('deleteBody'),
    action: t('deleteDevice'),
    danger: true,
    run: async () => succeeded(await deleteDevice(device.id), t('deviceDeleted')),
  });
}

/** Says whether a device does it now or when it is back; one that was never paired has nothing to do. */
function told({ online, pairedAt }: Device): string {
  if (pairedAt === null) return i18next.t('stateDone');
  return i18next.getFixedT(null, 'devices')(online ? 'commandSent' : 'commandWaits');
}

export function askToRestart(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: `${t('restart')} · ${deviceLabel(device)}`,
    body: t('restartBody'),
    action: t('restart'),
    run: async () => {
      const answer = await restartDevice(device.id);
      return (answer.error !== undefined || !isLeft(answer.data)) && succeeded(answer, told(device));
    },
  });
}

/** `run` takes back all that plays on the device and has it delete its files. */
export function askToClear(device: Device, run: () => Promise<boolean>): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: `${t('clearFiles')} · ${deviceLabel(device)}`,
    body: t('clearBody'),
    action: t('clearFiles'),
    danger: true,
    run,
  });
}

/** Withdraws from every device that it was released to; the confirmation names their number. */
export function askToWithdraw(release: Release): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  const body = t('withdrawMany', { count: release.counts.total });
  return confirm({
    title: t('withdrawTitle', { ad: release.ad.name }),
    body: release.campaignId === null ? body : `${body} ${i18next.t('campaignEnds', { ns: 'releases' })}`,
    action: t('withdraw'),
    danger: true,
    run: async () =>
      succeededUndoably(await withdrawRelease(release.id), t('releaseWithdrawn'), undoOfWithdrawal([release])),
  });
}
