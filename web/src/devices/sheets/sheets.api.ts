import { type DeviceFilter, devices, fillUrl, ImportResult } from '@ams/contract';
import i18next from 'i18next';
import { download, sendFile } from '../../platform/api.ts';
import { toast } from '../../platform/toast.ts';
import { isoOf } from '../dates.ts';
import { deviceListsChanged } from '../devices.api.ts';

/** Saves the machines that the filter shows as a spreadsheet. */
export async function exportDevices(filter: DeviceFilter): Promise<void> {
  toast.info(i18next.getFixedT(null, 'devices')('exportPreparing'));
  await download(fillUrl(devices.export.url, {}, filter), `device MAC export ${isoOf(new Date())}.xls`);
}

export const downloadTemplate = (): Promise<boolean> => download(devices.template.url, 'batch import template.xls');

export type Imported = { kind: 'done'; result: ImportResult } | { kind: 'failed'; message: string };

/** Sends a spreadsheet of machines; `told` hears which share of it (0–1) has left. */
export async function importDevices(file: File, told: (share: number) => void, signal: AbortSignal): Promise<Imported> {
  const answer = await sendFile(devices.import.url, file, told, signal);
  if (answer.error !== undefined) return { kind: 'failed', message: answer.message };
  await deviceListsChanged();
  return { kind: 'done', result: ImportResult.parse(answer.data) };
}
