import { type DeviceFilter, devices, fillUrl, ImportResult } from '@ams/contract';
import i18next from 'i18next';
import { download, sendFile } from '../../platform/api.ts';
import { toast } from '../../platform/toast.ts';
import { isoOf } from '../dates.ts';
import { deviceListsChanged } from '../../queries/devices.ts';

/** Devices chosen by hand, or all that a filter shows. */
export type Target = { ids: string[] } | { filter: DeviceFilter };

/** Saves devices as a spreadsheet. */
export async function exportDevices(target: Target): Promise<void> {
  toast.info(i18next.getFixedT(null, 'devices')('exportPreparing'));
  const name = `device MAC export ${isoOf(new Date())}.xls`;
  if ('ids' in target) await download(devices.exportChosen.url, name, target);
  else await download(fillUrl(devices.export.url, {}, target.filter), name);
}

export const downloadTemplate = (): Promise<boolean> => download(devices.template.url, 'batch import template.xls');

export type Imported = { kind: 'done'; result: ImportResult } | { kind: 'failed'; message: string };

/** Sends a spreadsheet of devices; `told` hears which share of it (0–1) has left. */
export async function importDevices(file: File, told: (share: number) => void, signal: AbortSignal): Promise<Imported> {
  const answer = await sendFile(devices.import.url, file, told, signal);
  if (answer.error !== undefined) return { kind: 'failed', message: answer.message };
  await deviceListsChanged();
  return { kind: 'done', result: ImportResult.parse(answer.data) };
}
