import { ImportResult } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../../platform/toast.ts';
import { exportDevices, importDevices, type Target } from '../../queries/devices.ts';
import { isoOf } from '../dates.ts';

/** Saves devices as a spreadsheet, named by the day. */
export async function exportAsSheet(target: Target): Promise<void> {
  toast.info(i18next.getFixedT(null, 'devices')('exportPreparing'));
  await exportDevices(target, `device MAC export ${isoOf(new Date())}.xls`);
}

export type Imported = { kind: 'done'; result: ImportResult } | { kind: 'failed'; message: string };

/** Sends a spreadsheet of devices; `told` receives the share that was sent (0–1). */
export async function importSheet(file: File, told: (share: number) => void, signal: AbortSignal): Promise<Imported> {
  const answer = await importDevices(file, told, signal);
  if (answer.error !== undefined) return { kind: 'failed', message: answer.message };
  return { kind: 'done', result: ImportResult.parse(answer.data) };
}
