import { type Device, deviceLabel, DeviceName, type UpdateDeviceBody, type Release, type UserRef } from '@ams/contract';
import i18next from 'i18next';
import { contractMessages } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';
import { offerUndo, succeeded, succeededUndoably } from '../ui/feedback/outcome.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { isLeft } from './batch/batchOfOne.ts';
import { deleteDevice, readDevice, restartDevice, updateDevice } from '../queries/devices.ts';
import { undoOfWithdrawal, withdrawRelease } from '../queries/releases.ts';

/** Settings that are sent as a device has them: those of before can be given back. */
type Settings = Omit<UpdateDeviceBody, 'ownerId' | 'expiresAt' | 'timeZone' | 'workingHours'>;

const settingsOf = (device: Device, names: readonly string[]): Settings =>
  Object.fromEntries(Object.entries(device).filter(([name]) => names.includes(name)));

/**
 * Gives a device the settings of `before` that have these names, unless they are others by now than in `after`, the answer
 * to the change: somebody set them since. True when it did.
 */
export async function giveBack(before: Device, after: Device, names: readonly string[]): Promise<boolean> {
  const now = await readDevice(before.id);
  if (now.error !== undefined) return false;
  if (JSON.stringify(settingsOf(now.data, names)) !== JSON.stringify(settingsOf(after, names))) {
    toast.fail(contractMessages().errors.CHANGED_MEANWHILE);
    return false;
  }
  return (await updateDevice(before.id, settingsOf(before, names))).error === undefined;
}

/** Changes settings of a device, which can be undone; true when it went well, so that a dialog may close. */
export async function changeDevice(device: Device, body: Settings, text: string): Promise<boolean> {
  const answer = await updateDevice(device.id, body);
  if (answer.error !== undefined) return false;
  offerUndo(text, () => giveBack(device, answer.data, Object.keys(body)));
  return true;
}

export function askToRename(device: Device): Promise<boolean> {
  const t = i18next.getFixedT(null, 'devices');
  return confirm({
    title: t('rename'),
    action: i18next.t('save'),
    input: { about: device.id, label: t('name'), schema: DeviceName, initial: device.name },
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
